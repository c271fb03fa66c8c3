#include "benchmarks/kernels/rival.h"

RIVAL {
  const int n = parameter<int>(parameters, 0);
  float* __restrict output = parameter<float*>(parameters, 1);
  const float* __restrict input = parameter<const float*>(parameters, 2);
  if (begin == 0 && end > 0) {
    output[0] = (0.0f + input[0] + (n > 1 ? input[1] : 0.0f)) / 3.0f;
    begin = 1;
  }
  if (end == n && begin < end) {
    output[n - 1] = (input[n - 2] + input[n - 1] + 0.0f) / 3.0f;
    end = n - 1;
  }
#pragma omp simd
  for (long i = begin; i < end; ++i) output[i] = (input[i - 1] + input[i] + input[i + 1]) / 3.0f;
}
