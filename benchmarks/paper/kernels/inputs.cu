#include "block_element.h"

// Inputs, made where they are used. Element [i, j] of a matrix gets the number of place i * columns + j. Programs give
// the annotation: [j, i] => write out[i, j], or out[j] of a vector.
__host__ __device__ inline float between(long long place, unsigned int seed, float low, float range) {
  return low + range * number(place, seed);
}

__global__ void fill_floats(long long columns, long long rows, unsigned int seed, float low, float range, float* out) {
  const long long j = blockIdx.x * (long long)blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j < columns && i < rows) out[i * columns + j] = between(i * columns + j, seed, low, range);
}

// An element takes four places.
__global__ void fill_fours(long long columns, long long rows, unsigned int seed, float low, float range, float4* out) {
  const long long j = blockIdx.x * (long long)blockDim.x + threadIdx.x, i = blockIdx.y, at = i * columns + j;
  if (j < columns && i < rows)
    out[at] = float4{between(4 * at, seed, low, range), between(4 * at + 1, seed, low, range),
                     between(4 * at + 2, seed, low, range), between(4 * at + 3, seed, low, range)};
}

// Whole numbers from 0 to below `range`.
__global__ void fill_ints(long long columns, long long rows, unsigned int seed, float low, float range, int* out) {
  const long long j = blockIdx.x * (long long)blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j < columns && i < rows) out[i * columns + j] = min((int)(number(i * columns + j, seed) * range), (int)range - 1);
}

__global__ void fill_blocks(long long columns, long long rows, unsigned int seed, float low, float range, float* out) {
  const long long j = blockIdx.x * (long long)blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j < columns && i < rows) out[i * columns + j] = low + range * block_element(i, j, columns, seed);
}
