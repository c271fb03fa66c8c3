//@tessera global i => read input[i-1:i+1], write output[i]
__global__ void stencil(int n, float* output, const float* input) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= n) return;
  float left = i - 1 >= 0 ? input[i - 1] : 0;
  float mid = input[i];
  float right = i + 1 < n ? input[i + 1] : 0;
  output[i] = (left + mid + right) / 3.0f;
}
