// Sorts the 256 values of each block by a bitonic network in shared memory.
//@tessera global i => read x[i], write y[i]
__global__ void block_sort(int n, const float* x, float* y) {
  __shared__ float s[256];
  unsigned t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[t] = i < n ? x[i] : 1e30f;
  __syncthreads();
  for (unsigned k = 2; k <= blockDim.x; k *= 2) {
    for (unsigned j = k / 2; j > 0; j /= 2) {
      unsigned other = t ^ j;
      if (other > t) {
        float a = s[t], b = s[other];
        if ((t & k) == 0 ? a > b : a < b) {
          s[t] = b;
          s[other] = a;
        }
      }
      __syncthreads();
    }
  }
  if (i < n) y[i] = s[t];
}
