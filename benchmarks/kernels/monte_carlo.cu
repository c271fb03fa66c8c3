//@tessera global i => write y[i]
__global__ void monte_carlo(int n, int steps, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned state = i * 747796405u + 2891336453u;
  float price = 100.0f;
  for (int t = 0; t < steps; ++t) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    price *= 1.0f + 0.01f * ((float)(state >> 8) * (1.0f / 16777216.0f) - 0.5f);
  }
  y[i] = price;
}
