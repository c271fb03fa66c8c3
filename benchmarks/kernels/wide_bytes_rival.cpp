#include "benchmarks/kernels/rival.h"

RIVAL {
  unsigned char* __restrict y = parameter<unsigned char*>(parameters, 1);
#pragma omp simd
  for (long i = begin; i < end; ++i) y[i] = static_cast<unsigned char>(y[i] + 1);
}
