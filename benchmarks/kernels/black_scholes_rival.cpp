#include "benchmarks/kernels/rival.h"

static inline __attribute__((always_inline)) float normal_cdf(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float tail =
      0.39894228f * expf(-0.5f * d * d) *
      (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}

RIVAL {
  const float rate = parameter<float>(parameters, 1);
  const float volatility = parameter<float>(parameters, 2);
  const float* __restrict price = parameter<const float*>(parameters, 3);
  const float* __restrict strike = parameter<const float*>(parameters, 4);
  const float* __restrict years = parameter<const float*>(parameters, 5);
  float* __restrict call = parameter<float*>(parameters, 6);
  float* __restrict put = parameter<float*>(parameters, 7);
#pragma omp simd
  for (long i = begin; i < end; ++i) {
    const float root = sqrtf(years[i]);
    const float d1 =
        (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
    const float d2 = d1 - volatility * root;
    const float below1 = normal_cdf(d1);
    const float below2 = normal_cdf(d2);
    const float discounted = strike[i] * expf(-rate * years[i]);
    call[i] = price[i] * below1 - discounted * below2;
    put[i] = discounted * (1.0f - below2) - price[i] * (1.0f - below1);
  }
}
