//@tessera global [j, i] => read a[i,:], b[:,j], write c[i,j]
__global__ void product(int m, int n, int k, float* c, const float* a, const float* b) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= m || j >= n) return;
    float sum = 0;
    for (int l = 0; l < k; ++l) sum += a[i * k + l] * b[l * n + j];
    c[i * n + j] = sum;
}
