// The product of two square matrices of m rows, as Volkov and Demmel do it: a thread makes 16 elements of each of four
// columns in registers. A block of 64 threads makes 16 x 256 elements; strips of 16 columns of a pass through shared
// memory, elements of b come into a register once and meet 16 of a. Neighbouring blocks have the same columns of b.
//@tessera block [y, x] => read a[16 * y : 16 * y + 15, :], b[:, 256 * x : 256 * x + 255],
//@tessera   write c[16 * y : 16 * y + 15, 256 * x : 256 * x + 255]
__global__ void gemm(int m, const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
  __shared__ float strip[16][16];
  const int t = threadIdx.x;
  const long long column = blockIdx.y * 256LL + t, row = blockIdx.x * 16LL;
  float sums[4][16] = {};
  for (int first = 0; first < m; first += 16) {
    for (int k = t; k < 256; k += 64) {
      const long long along = first + k % 16;
      strip[k % 16][k / 16] = row + k / 16 < m && along < m ? a[(row + k / 16) * m + along] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      const float* from = b + (long long)min(first + k, m - 1) * m;  // finite numbers behind the last row meet zeros
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const float element = from[min(column + 64 * j, m - 1LL)];
        for (int i = 0; i < 16; ++i) sums[j][i] += strip[k][i] * element;
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int j = 0; j < 4; ++j)
#pragma unroll
    for (int i = 0; i < 16; ++i)
      if (row + i < m && column + 64 * j < m) c[(row + i) * m + column + 64 * j] = sums[j][i];
}
