#include "benchmarks/kernels/rival.h"

RIVAL {
  const int m = parameter<int>(parameters, 0);
  const float* __restrict a = parameter<const float*>(parameters, 1);
  const float* __restrict x = parameter<const float*>(parameters, 2);
  float* __restrict y = parameter<float*>(parameters, 3);
  for (long r = begin; r < end; ++r) {
    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
    for (long j = 0; j < m; ++j) sum += a[r * m + j] * x[j];
    y[r] = sum;
  }
}
