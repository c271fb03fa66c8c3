//@tessera global i => write y[i]
__global__ void misspelt(int n, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = vallue;
}

//@tessera global i => write y[i]
__global__ void right(int n, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 1;
}
