#include "benchmarks/kernels/rival.h"

extern "C" __attribute__((simd("notinbranch"))) float erfcf(float) noexcept;

static inline __attribute__((always_inline)) float normal_cdf(float d) { return 0.5f * erfcf(-0.70710678f * d); }

RIVAL {
  const float rate = parameter<float>(parameters, 0);
  const float volatility = parameter<float>(parameters, 1);
  const float* __restrict price = parameter<const float*>(parameters, 2);
  const float* __restrict strike = parameter<const float*>(parameters, 3);
  const float* __restrict years = parameter<const float*>(parameters, 4);
  float* __restrict call = parameter<float*>(parameters, 5);
  float* __restrict put = parameter<float*>(parameters, 6);
#pragma omp simd
  for (long i = begin; i < end; ++i) {
    const float h = volatility * sqrtf(years[i]);
    const float d1 = (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / h;
    const float below1 = normal_cdf(d1), below2 = normal_cdf(d1 - h);
    const float discounted = strike[i] * expf(-rate * years[i]);
    call[i] = price[i] * below1 - discounted * below2;
    put[i] = discounted * (1.0f - below2) - price[i] * (1.0f - below1);
  }
}
