// `part` points at the first element of what is passed, and rows are `pitch` elements apart, as with &a[r][c] in CUDA.
//@tessera global [j, i] => readwrite part[i, j]
__global__ void scale(int rows, int columns, int pitch, float* part, float factor) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < rows && j < columns) part[i * pitch + j] *= factor;
}
