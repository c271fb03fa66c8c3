#include "benchmarks/kernels/rival.h"

RIVAL {
  const long columns = parameter<long>(parameters, 0);
  const float* __restrict x = parameter<const float*>(parameters, 1);
  float* __restrict sums = parameter<float*>(parameters, 2);
  for (long row = begin; row < end; ++row) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (long j = 0; j < columns; ++j) sum += x[row * columns + j];
    sums[row] = sum;
  }
}
