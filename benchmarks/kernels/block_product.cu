// A product of matrices by tiles in shared memory.
//@tessera global [i, j] => read a[j,:], read b[:,i], write c[j,i]
__global__ void block_product(int n, const float* a, const float* b, float* c) {
  __shared__ float as[16][16];
  __shared__ float bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int tile = 0; tile < n / 16; ++tile) {
    as[ty][tx] = a[row * n + tile * 16 + tx];
    bs[ty][tx] = b[(tile * 16 + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
