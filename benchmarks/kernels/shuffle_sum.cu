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
//@tessera block b => read x[b * blockDim.x : b * blockDim.x + blockDim.x - 1], write y[b]
__global__ void shuffle_sum(int n, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = block_sum(i < n ? x[i] : 0.0f);
  if (threadIdx.x == 0) y[blockIdx.x] = v;
}
