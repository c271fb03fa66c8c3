#include "benchmarks/kernels/rival.h"

RIVAL {
  const int m = parameter<int>(parameters, 0);
  const float* __restrict x = parameter<const float*>(parameters, 1);
  float* __restrict y = parameter<float*>(parameters, 2);
  for (long r = begin; r < end; ++r) {
    float best = -1e30f, sum = 0.0f;
#pragma omp simd reduction(max : best)
    for (long j = 0; j < m; ++j) best = x[r * m + j] > best ? x[r * m + j] : best;
#pragma omp simd reduction(+ : sum)
    for (long j = 0; j < m; ++j) sum += expf(x[r * m + j] - best);
#pragma omp simd
    for (long j = 0; j < m; ++j) y[r * m + j] = expf(x[r * m + j] - best) / sum;
  }
}
