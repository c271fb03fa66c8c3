//@tessera global i => read x[i], write y[i]
__global__ void block_scan(int n, const float* x, float* y) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int o = 1; o < 256; o *= 2) {
    float v = t >= o ? s[t - o] : 0.0f;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  if (i < n) y[i] = s[t];
}
