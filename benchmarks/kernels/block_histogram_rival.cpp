#include "benchmarks/kernels/rival.h"

RIVAL {
  const int n = parameter<int>(parameters, 0);
  const float* __restrict x = parameter<const float*>(parameters, 1);
  float* __restrict counts = parameter<float*>(parameters, 2);
  for (long b = begin; b < end; ++b) {
    unsigned bins[256] = {};
    for (long j = 0; j < n; ++j) ++bins[static_cast<int>((x[b * n + j] + 1.0f) * 127.5f)];
    for (int k = 0; k < 256; ++k) counts[b * 256 + k] = static_cast<float>(bins[k]);
  }
}
