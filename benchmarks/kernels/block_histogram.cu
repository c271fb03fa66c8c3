// A histogram of each block's n values, by atomics in shared memory.
//@tessera block b => read x[n * b : n * b + n - 1], write counts[256 * b : 256 * b + 255]
__global__ void block_histogram(int n, const float* x, float* counts) {
  __shared__ unsigned bins[256];
  int t = threadIdx.x;
  bins[t] = 0;
  __syncthreads();
  for (int j = t; j < n; j += 256) atomicAdd(&bins[(int)((x[(long long)blockIdx.x * n + j] + 1.0f) * 127.5f)], 1u);
  __syncthreads();
  counts[blockIdx.x * 256 + t] = bins[t];
}
