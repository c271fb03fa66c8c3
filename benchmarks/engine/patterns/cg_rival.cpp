#include "benchmarks/engine/patterns/cg_rival.h"

namespace tessera::bench::cg_rival {

void apply(std::int64_t begin, std::int64_t end, int width, int height, float* __restrict q,
           const float* __restrict p) {
  for (std::int64_t y = begin; y < end; ++y) {
    const float* const row = p + y * width;
    const float* const above = row - (y > 0 ? width : 0);
    const float* const below = row + (y < height - 1 ? width : 0);
    const float with_above = y > 0 ? 1 : 0, with_below = y < height - 1 ? 1 : 0;
    float* const out = q + y * width;
    out[0] = 4 * row[0] - (row[1] + with_above * above[0] + with_below * below[0]);
#pragma omp simd
    for (int x = 1; x < width - 1; ++x)
      out[x] = 4 * row[x] - (row[x - 1] + row[x + 1] + with_above * above[x] + with_below * below[x]);
    const int last = width - 1;
    out[last] = 4 * row[last] - (row[last - 1] + with_above * above[last] + with_below * below[last]);
  }
}

double dot(std::int64_t begin, std::int64_t end, int width, const float* a, const float* b) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t i = begin * width; i < end * width; ++i)
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

void advance(std::int64_t begin, std::int64_t end, int width, float* __restrict u, float* __restrict r,
             const float* __restrict p, const float* __restrict q, float alpha) {
#pragma omp simd
  for (std::int64_t i = begin * width; i < end * width; ++i) {
    u[i] += alpha * p[i];
    r[i] -= alpha * q[i];
  }
}

void turn(std::int64_t begin, std::int64_t end, int width, float* __restrict p, const float* __restrict r, float beta) {
#pragma omp simd
  for (std::int64_t i = begin * width; i < end * width; ++i) p[i] = r[i] + beta * p[i];
}

}  // namespace tessera::bench::cg_rival
