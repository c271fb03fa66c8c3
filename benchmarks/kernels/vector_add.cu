//@tessera global i => read a[i], b[i], write c[i]
__global__ void add(int n, float* c, const float* a, const float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
