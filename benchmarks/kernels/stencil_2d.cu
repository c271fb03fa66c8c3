//@tessera global [x, y] => read input[y-1:y+1, x], input[y, x-1:x+1], write output[y, x]
__global__ void stencil_2d(int width, int height, float* output, const float* input) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int i = y * width + x;
  float mid = input[i];
  float left = x > 0 ? input[i - 1] : mid;
  float right = x < width - 1 ? input[i + 1] : mid;
  float above = y > 0 ? input[i - width] : mid;
  float below = y < height - 1 ? input[i + width] : mid;
  output[i] = mid + 0.2f * (left + right + above + below - 4.0f * mid);
}
