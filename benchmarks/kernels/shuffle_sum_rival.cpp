#include "benchmarks/kernels/rival.h"

RIVAL {
  const float* __restrict x = parameter<const float*>(parameters, 1);
  float* __restrict y = parameter<float*>(parameters, 2);
  for (long b = begin; b < end; ++b) {
    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
    for (long i = 0; i < 256; ++i) sum += x[b * 256 + i];
    y[b] = sum;
  }
}
