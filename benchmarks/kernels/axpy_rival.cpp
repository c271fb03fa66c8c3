#include "benchmarks/kernels/rival.h"

RIVAL {
  const float a = parameter<float>(parameters, 1);
  const float* __restrict x = parameter<const float*>(parameters, 2);
  float* __restrict y = parameter<float*>(parameters, 3);
#pragma omp simd
  for (long i = begin; i < end; ++i) y[i] = a * x[i] + y[i];
}
