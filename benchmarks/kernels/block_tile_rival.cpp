#include "benchmarks/kernels/rival.h"

// Items are rows.
RIVAL {
  const int n = parameter<int>(parameters, 0);
  const float* __restrict x = parameter<const float*>(parameters, 1);
  float* __restrict y = parameter<float*>(parameters, 2);
  for (long r = begin; r < end; ++r) {
    const float* row = x + r * n;
    const auto at = [&](long i, long j) { return i < 0 || i >= n || j < 0 || j >= n ? 0.0f : x[i * n + j]; };
    const auto edge = [&](long j) {
      y[r * n + j] = 0.2f * (at(r, j) + at(r, j - 1) + at(r, j + 1) + at(r - 1, j) + at(r + 1, j));
    };
    if (r == 0 || r == n - 1) {
      for (long j = 0; j < n; ++j) edge(j);
      continue;
    }
    edge(0);
    for (long j = 1; j < n - 1; ++j) y[r * n + j] = 0.2f * (row[j] + row[j - 1] + row[j + 1] + row[j - n] + row[j + n]);
    edge(n - 1);
  }
}
