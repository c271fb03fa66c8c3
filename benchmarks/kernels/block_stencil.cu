// Three neighbours, through shared memory with a halo.
//@tessera global i => read x[i-1:i+1], write y[i]
__global__ void block_stencil(int n, const float* x, float* y) {
  __shared__ float part[258];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  if (i < n) part[t + 1] = x[i];
  if (t == 0) part[0] = i > 0 ? x[i - 1] : 0.0f;
  if (t == blockDim.x - 1 || i == n - 1) part[t + 2] = i + 1 < n ? x[i + 1] : 0.0f;
  __syncthreads();
  if (i < n) y[i] = part[t] + part[t + 1] + part[t + 2];
}
