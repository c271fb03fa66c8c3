//@tessera global i => read values[i], atomic(+) bins
__global__ void histogram(int n, unsigned int* bins, const unsigned char* values) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[values[i]], 1u);
}
