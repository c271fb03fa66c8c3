//@tessera block b => read x[1024*b : 1024*b+1023], y[1024*b : 1024*b+1023], write out[1024*b : 1024*b+1023]
__global__ void triad(int n, float a, const float* x, const float* y, float* out) {
  for (int k = 0; k < 4; ++k) {
    int i = blockIdx.x * 1024 + k * 256 + threadIdx.x;
    if (i < n) out[i] = a * x[i] + y[i];
  }
}
