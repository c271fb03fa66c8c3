#include "12_complex.h"

#define MOST_STEPS 200

// Helpers may use the thread's indices, as in CUDA.
__device__ int column() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ int row() { return blockIdx.y * blockDim.y + threadIdx.y; }

__device__ int escape_time(complex_number c) {
    complex_number z = {0, 0};
    for (int step = 0; step < MOST_STEPS; ++step) {
        if (z.re * z.re + z.im * z.im > 4.0f) return step;
        z = squared(z);
        z.re += c.re;
        z.im += c.im;
    }
    return MOST_STEPS;
}

//@tessera global [x, y] => write times[y, x]
__global__ void mandelbrot(int height, int width, int* times) {
    if (column() >= width || row() >= height) return;
    complex_number c = {column() * 3.0f / width - 2.0f, row() * 2.0f / height - 1.0f};
    times[row() * width + column()] = escape_time(c);
}
