//@tessera global [j, i] => read m[i,j], reduce(+) sums[i]
__global__ void row_sums(int columns, float* sums, const float* m) {
    __shared__ float part[256];
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y;
    part[threadIdx.x] = j < columns ? m[i * columns + j] : 0;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[i] = part[0];
}
