//@tessera global i => read q[i], write y[i]
__global__ void unknown_array(int n, float* y, const float* x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
