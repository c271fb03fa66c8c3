#include "benchmarks/kernels/rival.h"

RIVAL {
  const int m = parameter<int>(parameters, 0);
  const float* __restrict x = parameter<const float*>(parameters, 1);
  float* __restrict y = parameter<float*>(parameters, 2);
  for (long r = begin; r < end; ++r) {
    float sum = 0.0f, squares = 0.0f;
#pragma omp simd reduction(+ : sum, squares)
    for (long j = 0; j < m; ++j) {
      sum += x[r * m + j];
      squares += x[r * m + j] * x[r * m + j];
    }
    const float mean = sum / static_cast<float>(m);
    const float scale = 1.0f / sqrtf(squares / static_cast<float>(m) - mean * mean + 1e-5f);
#pragma omp simd
    for (long j = 0; j < m; ++j) y[r * m + j] = (x[r * m + j] - mean) * scale;
  }
}
