// y = A x for the matrix with 2 on the diagonal and -1 beside it.
//@tessera global i => read x[i-1:i+1], write y[i]
__global__ void apply(int n, float* y, const float* x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float left = i > 0 ? x[i - 1] : 0, right = i < n - 1 ? x[i + 1] : 0;
    y[i] = 2 * x[i] - (left + right);
}

// The bits of floats that are not negative are ordered as integers.
//@tessera global i => read y[i], reduce(max) top[0]
__global__ void largest(int n, const float* y, float* top) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax((int*)top, __float_as_int(fabsf(y[i])));
}

//@tessera global i => read y[i], write x[i]
__global__ void divide(int n, float* x, const float* y, float by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = y[i] / by;
}
