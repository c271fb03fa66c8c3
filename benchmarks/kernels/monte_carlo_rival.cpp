#include "benchmarks/kernels/rival.h"

RIVAL {
  const int steps = parameter<int>(parameters, 1);
  float* __restrict y = parameter<float*>(parameters, 2);
  constexpr int lanes = 64;
  for (long first = begin; first < end; first += lanes) {
    const int count = static_cast<int>(end - first < lanes ? end - first : lanes);
    unsigned state[lanes];
    float price[lanes];
    for (int k = 0; k < lanes; ++k) {
      state[k] = static_cast<unsigned>(first + k) * 747796405u + 2891336453u;
      price[k] = 100.0f;
    }
    for (int t = 0; t < steps; ++t) {
#pragma omp simd
      for (int k = 0; k < lanes; ++k) {
        unsigned s = state[k];
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        state[k] = s;
        price[k] *= 1.0f + 0.01f * (static_cast<float>(s >> 8) * (1.0f / 16777216.0f) - 0.5f);
      }
    }
    for (int k = 0; k < count; ++k) y[first + k] = price[k];
  }
}
