#include "benchmarks/kernels/rival.h"

RIVAL {
  const float a = parameter<float>(parameters, 0);
  const float* __restrict x = parameter<const float*>(parameters, 1);
  const float* __restrict y = parameter<const float*>(parameters, 2);
  const float* __restrict z = parameter<const float*>(parameters, 3);
  float* __restrict out = parameter<float*>(parameters, 4);
#pragma omp simd
  for (long i = begin; i < end; ++i) out[i] = a * x[i] + y[i] * z[i];
}
