// Compiled by nvcc, as a library of the user's would be.
#include <cstdint>
#include <stdexcept>

// One block per row: neighbours in shared memory are put in order, even and odd pairs in turns, until all are.
__global__ void sort_row(float* rows, int columns) {
    extern __shared__ float row[];
    float* mine = rows + (std::int64_t)blockIdx.x * columns;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) row[i] = mine[i];
    for (int turn = 0; turn < columns; ++turn) {
        __syncthreads();
        for (int i = 2 * threadIdx.x + turn % 2; i + 1 < columns; i += 2 * blockDim.x)
            if (row[i + 1] < row[i]) {
                float larger = row[i];
                row[i] = row[i + 1];
                row[i + 1] = larger;
            }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < columns; i += blockDim.x) mine[i] = row[i];
}

void sort_rows_on_gpu(float* table, std::int64_t first, std::int64_t rows, int columns, void* stream) {
    sort_row<<<(unsigned)rows, 128, columns * sizeof(float), (cudaStream_t)stream>>>(table + first * columns, columns);
    if (cudaGetLastError() != cudaSuccess) throw std::runtime_error("sort_row was not launched");
}
