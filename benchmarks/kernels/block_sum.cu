// The sum of each block, along a tree in shared memory.
//@tessera block b => read x[256 * b : 256 * b + 255], write sums[b]
__global__ void block_sum(int n, const float* x, float* sums) {
  __shared__ float part[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half >>= 1) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}
