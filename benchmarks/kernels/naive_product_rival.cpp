#include "benchmarks/kernels/rival.h"

// Items are rows of the result.
RIVAL {
  const int n = parameter<int>(parameters, 0);
  const float* __restrict a = parameter<const float*>(parameters, 1);
  const float* __restrict b = parameter<const float*>(parameters, 2);
  float* __restrict c = parameter<float*>(parameters, 3);
  for (long row = begin; row < end; ++row) {
    for (int col = 0; col < n; ++col) c[row * n + col] = 0;
    for (int k = 0; k < n; ++k) {
#pragma omp simd
      for (int col = 0; col < n; ++col) c[row * n + col] += a[row * n + k] * b[k * n + col];
    }
  }
}
