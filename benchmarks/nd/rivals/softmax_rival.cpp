#include "benchmarks/kernels/rival.h"

// Items are rows.
RIVAL {
  const long columns = parameter<long>(parameters, 0);
  const float* __restrict from = parameter<const float*>(parameters, 1);
  float* __restrict to = parameter<float*>(parameters, 2);
  for (long row = begin; row < end; ++row) {
    const float* __restrict x = from + row * columns;
    float* __restrict y = to + row * columns;
    float most = x[0], sum = 0;
#pragma omp simd reduction(max : most)
    for (long j = 0; j < columns; ++j) most = x[j] > most ? x[j] : most;
#pragma omp simd reduction(+ : sum)
    for (long j = 0; j < columns; ++j) sum += y[j] = expf(x[j] - most);
    const float factor = 1 / sum;
#pragma omp simd
    for (long j = 0; j < columns; ++j) y[j] *= factor;
  }
}
