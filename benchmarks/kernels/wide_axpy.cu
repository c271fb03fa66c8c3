//@tessera global i => read x[i], readwrite y[i]
__global__ void wide_axpy(int n, float a, const float* x, float* y) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
