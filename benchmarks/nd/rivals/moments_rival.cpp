#include "benchmarks/kernels/rival.h"

// Items are chunks of 65536 elements, each with its sum, its sum of squares and its least element.
RIVAL {
  const float* __restrict x = parameter<const float*>(parameters, 0);
  float* __restrict parts = parameter<float*>(parameters, 1);
  const long n = parameter<long>(parameters, 2);
  for (long chunk = begin; chunk < end; ++chunk) {
    const long first = chunk * 65536, limit = first + 65536 < n ? first + 65536 : n;
    float sum = 0, squares = 0, least = x[first];
#pragma omp simd reduction(+ : sum, squares) reduction(min : least)
    for (long i = first; i < limit; ++i) {
      sum += x[i];
      squares += x[i] * x[i];
      least = x[i] < least ? x[i] : least;
    }
    parts[3 * chunk] = sum;
    parts[3 * chunk + 1] = squares;
    parts[3 * chunk + 2] = least;
  }
}
