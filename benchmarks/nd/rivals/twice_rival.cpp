#include "benchmarks/kernels/rival.h"

RIVAL {
  const float* __restrict x = parameter<const float*>(parameters, 0);
  float* __restrict y = parameter<float*>(parameters, 1);
#pragma omp simd
  for (long i = begin; i < end; ++i) y[i] = 2 * x[i];
}
