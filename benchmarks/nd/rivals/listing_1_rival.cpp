#include "benchmarks/kernels/rival.h"

// Items are rows; the means are there.
RIVAL {
  const long columns = parameter<long>(parameters, 0);
  const float* __restrict x = parameter<const float*>(parameters, 1);
  const float* __restrict means = parameter<const float*>(parameters, 2);
  float* __restrict out = parameter<float*>(parameters, 3);
  for (long row = begin; row < end; ++row) {
#pragma omp simd
    for (long j = 0; j < columns; ++j) {
      const float gap = x[row * columns + j] - means[j];
      out[row * columns + j] = sqrtf(gap * gap);
    }
  }
}
