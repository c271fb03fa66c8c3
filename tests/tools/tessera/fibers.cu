// A barrier that not all threads may reach at the same time: the kernel is not cut there.
//@tessera block b => read x[b*256 : b*256+255], write y[b]
__global__ void first_half(const int* x, int* y) {
    __shared__ int part[256];
    part[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
    if (threadIdx.x < blockDim.x)
        __syncthreads();
    if (threadIdx.x == 0) y[blockIdx.x] = part[0] + part[128];
}
