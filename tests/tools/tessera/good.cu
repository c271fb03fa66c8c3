// Kernels that `tessera compile` must accept.
struct pair {
    float first, second;
};

//@tessera global i => read x[i], write y[i]
__global__ void twice(int n, float* y, const float* __restrict__ x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2.0f * x[i];
}

//@tessera block b => read pairs[b*256 : b*256+255], write sums[b]
__global__ void sum_pairs(double* sums, const pair* pairs, pair weight) {
    __shared__ double parts[256];
    pair p = pairs[blockIdx.x * 256 + threadIdx.x];
    parts[threadIdx.x] = p.first * weight.first + p.second * weight.second;
    __syncthreads();
    if (threadIdx.x == 0) {
        double sum = 0;
        for (int i = 0; i < 256; ++i) sum += parts[i];
        sums[blockIdx.x] = sum;
    }
}

__global__ void unannotated(int* counts, float scale) { counts[0] = int(scale * FACTOR); }
