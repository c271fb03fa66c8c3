#define TILE 16

//@tessera global [j, i] => read a[i,:], b[:,j], write c[i,j]
__global__ void product(int m, int n, int k, float* c, const float* a, const float* b) {
    __shared__ float left[TILE][TILE];
    __shared__ float right[TILE][TILE];
    int j = blockIdx.x * TILE + threadIdx.x;
    int i = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
    for (int first = 0; first < k; first += TILE) {
        int along = first + threadIdx.x, down = first + threadIdx.y;
        left[threadIdx.y][threadIdx.x] = i < m && along < k ? a[i * k + along] : 0;
        right[threadIdx.y][threadIdx.x] = down < k && j < n ? b[down * n + j] : 0;
        __syncthreads();
        for (int l = 0; l < TILE; ++l) sum += left[threadIdx.y][l] * right[l][threadIdx.x];
        __syncthreads();
    }
    if (i < m && j < n) c[i * n + j] = sum;
}
