// The product of two square matrices of m rows. A block of 16 x 16 threads makes 64 x 64 elements of it, a thread 4 x 4
// in registers; strips of 16 of both factors pass through shared memory.
#define TILE 64
#define STRIP 16

//@tessera block [x, y] => read a[64 * y : 64 * y + 63, :], b[:, 64 * x : 64 * x + 63],
//@tessera   write c[64 * y : 64 * y + 63, 64 * x : 64 * x + 63]
__global__ void gemm(int m, const float* a, const float* b, float* c) {
  __shared__ float left[STRIP][TILE + 4];
  __shared__ float right[STRIP][TILE];
  const int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;
  const long long first_row = (long long)blockIdx.y * TILE, first_column = (long long)blockIdx.x * TILE;
  float sums[4][4] = {};
  for (int strip = 0; strip < m; strip += STRIP) {
    for (int k = t; k < TILE * STRIP; k += 256) {
      const long long row = first_row + k / STRIP, along = strip + k % STRIP;
      left[k % STRIP][k / STRIP] = row < m && along < m ? a[row * m + along] : 0.0f;
      const long long down = strip + k / TILE, column = first_column + k % TILE;
      right[k / TILE][k % TILE] = down < m && column < m ? b[down * m + column] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < STRIP; ++k) {
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) sums[i][j] += left[k][y * 4 + i] * right[k][x * 4 + j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const long long row = first_row + y * 4 + i, column = first_column + x * 4 + j;
      if (row < m && column < m) c[row * m + column] = sums[i][j];
    }
}
