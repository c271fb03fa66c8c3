// A warp for each row; blocks have 256 threads.
//@tessera block b => read a[8 * b : 8 * b + 7, :], x, write y[8 * b : 8 * b + 7]
__global__ void warp_rows(int m, const float* a, const float* x, float* y) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float sum = 0.0f;
  for (int j = lane; j < m; j += 32) sum += a[(long long)row * m + j] * x[j];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (lane == 0) y[row] = sum;
}
