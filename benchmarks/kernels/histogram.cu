//@tessera global i => read x[i], atomic(+) bins
__global__ void histogram(int n, const int* x, unsigned* bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[x[i]], 1u);
}
