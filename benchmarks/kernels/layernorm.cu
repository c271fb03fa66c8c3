__inline__ __device__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
  return v;
}
__inline__ __device__ float block_sum(float v) {
  static __shared__ float parts[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  v = warp_sum(v);
  __syncthreads();
  if (lane == 0) parts[warp] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? parts[lane] : 0.0f;
  if (warp == 0) v = warp_sum(v);
  return v;
}
//@tessera block b => read x[b, :], write y[b, :]
__global__ void layernorm(int m, const float* x, float* y) {
  __shared__ float mean, scale;
  const float* row = x + (long long)blockIdx.x * m;
  float sum = 0.0f, squares = 0.0f;
  for (int j = threadIdx.x; j < m; j += blockDim.x) {
    float v = row[j];
    sum += v;
    squares += v * v;
  }
  sum = block_sum(sum);
  squares = block_sum(squares);
  if (threadIdx.x == 0) {
    mean = sum / m;
    scale = 1.0f / sqrtf(squares / m - mean * mean + 1e-5f);
  }
  __syncthreads();
  for (int j = threadIdx.x; j < m; j += blockDim.x) y[(long long)blockIdx.x * m + j] = (row[j] - mean) * scale;
}
