//@tessera global i => readwrite y[i]
__global__ void wide_bytes(int n, unsigned char* y) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += 1;
}
