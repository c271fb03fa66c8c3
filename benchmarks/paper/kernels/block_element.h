#pragma once

#include "../../kernels/number.h"

// An element of a matrix with hidden clusters: eight of rows and six of columns, shuffled; every block of both has a
// level of its own, and every element a part of chance.
__host__ __device__ inline float block_element(long long i, long long j, long long columns, unsigned int seed) {
  const int r = (int)(number(i, seed + 5) * 8), c = (int)(number(j, seed + 6) * 6);
  return 0.75f * number(6 * r + c, seed + 7) + 0.25f * number(i * columns + j, seed);
}
