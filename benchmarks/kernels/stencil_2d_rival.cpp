#include "benchmarks/kernels/rival.h"

static inline float point(float mid, float left, float right, float above, float below) {
  return mid + 0.2f * (left + right + above + below - 4.0f * mid);
}

RIVAL {
  const long width = parameter<int>(parameters, 0);
  const long height = parameter<int>(parameters, 1);
  for (long y = begin; y < end; ++y) {
    float* __restrict output = parameter<float*>(parameters, 2) + y * width;
    const float* __restrict row = parameter<const float*>(parameters, 3) + y * width;
    const float* __restrict above = y > 0 ? row - width : row;
    const float* __restrict below = y < height - 1 ? row + width : row;
    const long last = width - 1;
    output[0] = point(row[0], row[0], row[width > 1 ? 1 : 0], above[0], below[0]);
#pragma omp simd
    for (long x = 1; x < last; ++x) output[x] = point(row[x], row[x - 1], row[x + 1], above[x], below[x]);
    if (last > 0) output[last] = point(row[last], row[last - 1], row[last], above[last], below[last]);
  }
}
