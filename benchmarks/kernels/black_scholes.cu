__device__ float normal_cdf(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float tail = 0.39894228f * expf(-0.5f * d * d) *
                     (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}

//@tessera global i => read price[i], strike[i], years[i], write call[i], put[i]
__global__ void black_scholes(int n, float rate, float volatility, const float* price, const float* strike,
                              const float* years, float* call, float* put) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float root = sqrtf(years[i]);
  float d1 = (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
  float d2 = d1 - volatility * root;
  float below1 = normal_cdf(d1);
  float below2 = normal_cdf(d2);
  float discounted = strike[i] * expf(-rate * years[i]);
  call[i] = price[i] * below1 - discounted * below2;
  put[i] = discounted * (1.0f - below2) - price[i] * (1.0f - below1);
}
