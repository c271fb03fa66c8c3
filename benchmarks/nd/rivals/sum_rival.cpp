#include "benchmarks/kernels/rival.h"

// Items are chunks of 65536 elements, each with a partial sum of its own.
RIVAL {
  const float* __restrict x = parameter<const float*>(parameters, 0);
  float* __restrict sums = parameter<float*>(parameters, 1);
  const long n = parameter<long>(parameters, 2);
  for (long chunk = begin; chunk < end; ++chunk) {
    const long first = chunk * 65536, limit = first + 65536 < n ? first + 65536 : n;
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (long i = first; i < limit; ++i) sum += x[i];
    sums[chunk] = sum;
  }
}
