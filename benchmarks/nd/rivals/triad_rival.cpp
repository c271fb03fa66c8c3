#include "benchmarks/kernels/rival.h"

RIVAL {
  const double factor = parameter<double>(parameters, 0);
  const double* __restrict b = parameter<const double*>(parameters, 1);
  const double* __restrict c = parameter<const double*>(parameters, 2);
  double* __restrict a = parameter<double*>(parameters, 3);
#pragma omp simd
  for (long i = begin; i < end; ++i) a[i] = b[i] + factor * c[i];
}
