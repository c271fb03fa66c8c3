//@tessera global i => read x[i], reduce(+) bins
__global__ void histogram_reduce(int n, const int* x, unsigned* bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[x[i]], 1u);
}
