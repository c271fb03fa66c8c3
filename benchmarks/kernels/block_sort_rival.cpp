#include "benchmarks/kernels/rival.h"

// The kernel's network: pairs of one step are independent of each other.
RIVAL {
  const float* __restrict x = parameter<const float*>(parameters, 1);
  float* __restrict y = parameter<float*>(parameters, 2);
  for (long b = begin; b < end; ++b) {
    float s[256];
    for (int i = 0; i < 256; ++i) s[i] = x[b * 256 + i];
    for (int k = 2; k <= 256; k *= 2) {
      for (int j = k / 2; j > 0; j /= 2) {
        for (int first = 0; first < 256; first += 2 * j) {
          const bool up = (first & k) == 0;
          for (int i = first; i < first + j; ++i) {
            const float low = s[i] < s[i + j] ? s[i] : s[i + j], high = s[i] < s[i + j] ? s[i + j] : s[i];
            s[i] = up ? low : high;
            s[i + j] = up ? high : low;
          }
        }
      }
    }
    for (int i = 0; i < 256; ++i) y[b * 256 + i] = s[i];
  }
}
