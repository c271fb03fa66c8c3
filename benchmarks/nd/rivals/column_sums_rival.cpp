#include "benchmarks/kernels/rival.h"

// Items are chunks of 512 rows, each with partial sums of its own.
RIVAL {
  const long rows = parameter<long>(parameters, 0), columns = parameter<long>(parameters, 1);
  const float* __restrict x = parameter<const float*>(parameters, 2);
  float* __restrict parts = parameter<float*>(parameters, 3);
  for (long chunk = begin; chunk < end; ++chunk) {
    float* const sums = parts + chunk * columns;
    const long limit = (chunk + 1) * 512 < rows ? (chunk + 1) * 512 : rows;
    for (long j = 0; j < columns; ++j) sums[j] = 0;
    for (long row = chunk * 512; row < limit; ++row) {
#pragma omp simd
      for (long j = 0; j < columns; ++j) sums[j] += x[row * columns + j];
    }
  }
}
