//@tessera global [x, y] => read old[y-1:y+1, x], old[y, x-1:x+1], write fresh[y, x]
__global__ void blur(int rows, int columns, float* fresh, const float* old) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= columns || y >= rows) return;
    int at = y * columns + x;
    float sum = old[at];
    sum += y > 0 ? old[at - columns] : 0;
    sum += y + 1 < rows ? old[at + columns] : 0;
    sum += x > 0 ? old[at - 1] : 0;
    sum += x + 1 < columns ? old[at + 1] : 0;
    fresh[at] = sum * 0.2f;
}
