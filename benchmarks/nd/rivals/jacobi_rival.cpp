#include "benchmarks/kernels/rival.h"

// Items are rows inside of the border.
RIVAL {
  const long n = parameter<long>(parameters, 0);
  const float* __restrict u = parameter<const float*>(parameters, 1);
  float* __restrict v = parameter<float*>(parameters, 2);
  for (long row = begin + 1; row < end + 1; ++row) {
    const float* const at = u + row * n;
#pragma omp simd
    for (long j = 1; j < n - 1; ++j) v[row * n + j] = 0.25f * (at[j - n] + at[j + n] + at[j - 1] + at[j + 1]);
  }
}
