// The product of two square matrices of m rows, as Volkov and Demmel do it: a thread makes 16 elements of a column in
// registers. A block of 256 threads makes 16 x 256 elements; strips of 16 columns of a pass through shared memory, elements
// of b come into a register once and meet 16 of a.
//@tessera block [x, y] => read a[16 * y : 16 * y + 15, :], b[:, 256 * x : 256 * x + 255],
//@tessera   write c[16 * y : 16 * y + 15, 256 * x : 256 * x + 255]
__global__ void gemm(int m, const float* a, const float* b, float* c) {
  __shared__ float strip[16][16];
  const int t = threadIdx.x;
  const long long column = blockIdx.x * 256LL + t, row = blockIdx.y * 16LL;
  float sums[16] = {};
  for (int first = 0; first < m; first += 16) {
#pragma unroll
    for (int k = t; k < 256; k += 256) {
      const long long along = first + k % 16;
      strip[k % 16][k / 16] = row + k / 16 < m && along < m ? a[(row + k / 16) * m + along] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      const float element = first + k < m && column < m ? b[(long long)(first + k) * m + column] : 0.0f;
#pragma unroll
      for (int i = 0; i < 16; ++i) sums[i] += strip[k][i] * element;
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 16; ++i)
    if (row + i < m && column < m) c[(row + i) * m + column] = sums[i];
}
