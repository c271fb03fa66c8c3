// Five neighbours in two dimensions, through a tile in shared memory with a halo.
//@tessera global [column, row] => read x[row - 1 : row + 1, column], x[row, column - 1 : column + 1], write y[row, column]
__global__ void block_tile(int n, const float* x, float* y) {
  __shared__ float tile[18][18];
  int tx = threadIdx.x, ty = threadIdx.y;
  int column = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty;
  tile[ty + 1][tx + 1] = x[row * n + column];
  if (tx == 0) tile[ty + 1][0] = column > 0 ? x[row * n + column - 1] : 0.0f;
  if (tx == 15) tile[ty + 1][17] = column + 1 < n ? x[row * n + column + 1] : 0.0f;
  if (ty == 0) tile[0][tx + 1] = row > 0 ? x[(row - 1) * n + column] : 0.0f;
  if (ty == 15) tile[17][tx + 1] = row + 1 < n ? x[(row + 1) * n + column] : 0.0f;
  __syncthreads();
  y[row * n + column] = 0.2f * (tile[ty + 1][tx + 1] + tile[ty + 1][tx] + tile[ty + 1][tx + 2] + tile[ty][tx + 1] +
                                tile[ty + 2][tx + 1]);
}
