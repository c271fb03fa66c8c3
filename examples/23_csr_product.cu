// A thread per row of a sparse matrix in CSR form: row i has the entries offsets[i] to offsets[i + 1] - 1. The table `rows`
// tells Tessera the same at launch, so that each device gets the entries of its rows and no others.
//@tessera global i => read offsets[i:i+1], columns[rows(i)], values[rows(i)], x, write y[i]
__global__ void csr_product(int n, float* y, const int* offsets, const int* columns, const float* values,
                            const float* x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = offsets[i]; k < offsets[i + 1]; ++k) sum += values[k] * x[columns[k]];
    y[i] = sum;
}
