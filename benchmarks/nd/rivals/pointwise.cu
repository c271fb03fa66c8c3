// Element by element with four elements per thread, in loads and stores of 16 bytes.
#include "benchmarks/nd/rivals/by_cuda.h"

namespace tessera::bench::by_cuda {
namespace {

constexpr int threads = 256;

unsigned blocks(std::int64_t items, int per_block) { return static_cast<unsigned>((items + per_block - 1) / per_block); }

__global__ void __launch_bounds__(threads)
    triad_kernel(std::int64_t quads, float s, const float4* __restrict__ b, const float4* __restrict__ c,
                 float4* __restrict__ a) {
  const std::int64_t i = blockIdx.x * std::int64_t{threads} + threadIdx.x;
  if (i >= quads) return;
  const float4 u = b[i], v = c[i];
  a[i] = make_float4(u.x + s * v.x, u.y + s * v.y, u.z + s * v.z, u.w + s * v.w);
}

__global__ void __launch_bounds__(threads)
    twice_kernel(std::int64_t quads, const float4* __restrict__ x, float4* __restrict__ y) {
  const std::int64_t i = blockIdx.x * std::int64_t{threads} + threadIdx.x;
  if (i >= quads) return;
  const float4 u = x[i];
  y[i] = make_float4(2 * u.x, 2 * u.y, 2 * u.z, 2 * u.w);
}

__device__ float normal_cdf(float d) { return 0.5f * erfcf(-0.70710678f * d); }

__device__ void price_of(float rate, float volatility, float price, float strike, float years, float& call,
                         float& put) {
  const float h = volatility * sqrtf(years);
  const float d1 = (logf(price / strike) + (rate + 0.5f * volatility * volatility) * years) / h;
  const float below1 = normal_cdf(d1), below2 = normal_cdf(d1 - h);
  const float discounted = strike * expf(-rate * years);
  call = price * below1 - discounted * below2;
  put = discounted * (1.0f - below2) - price * (1.0f - below1);
}

__global__ void __launch_bounds__(threads)
    black_scholes_kernel(std::int64_t quads, float rate, float volatility, const float4* __restrict__ price,
                         const float4* __restrict__ strike, const float4* __restrict__ years,
                         float4* __restrict__ call, float4* __restrict__ put) {
  const std::int64_t i = blockIdx.x * std::int64_t{threads} + threadIdx.x;
  if (i >= quads) return;
  const float4 s = price[i], x = strike[i], t = years[i];
  float4 c, p;
  price_of(rate, volatility, s.x, x.x, t.x, c.x, p.x);
  price_of(rate, volatility, s.y, x.y, t.y, c.y, p.y);
  price_of(rate, volatility, s.z, x.z, t.z, c.z, p.z);
  price_of(rate, volatility, s.w, x.w, t.w, c.w, p.w);
  call[i] = c;
  put[i] = p;
}

/// Four rows per thread: of each column six elements are loaded from memory, those beside it are in the cache.
constexpr int rows_of_thread = 4;

__global__ void __launch_bounds__(threads)
    jacobi_kernel(std::int64_t n, const float* __restrict__ u, float* __restrict__ v) {
  const std::int64_t j = blockIdx.x * std::int64_t{threads} + threadIdx.x;
  const std::int64_t first = 1 + blockIdx.y * std::int64_t{rows_of_thread};
  if (j < 1 || j >= n - 1) return;
  const float* at = u + first * n + j;
  float above = at[-n], here = at[0];
#pragma unroll
  for (int k = 0; k < rows_of_thread; ++k, at += n) {
    if (first + k >= n - 1) return;
    const float below = at[n];
    v[(first + k) * n + j] = 0.25f * (above + below + at[-1] + at[1]);
    above = here;
    here = below;
  }
}

const float4* quads(const float* x) { return reinterpret_cast<const float4*>(x); }
float4* quads(float* x) { return reinterpret_cast<float4*>(x); }

}  // namespace

void triad(std::int64_t n, float factor, const float* b, const float* c, float* a) {
  triad_kernel<<<blocks(n / 4, threads), threads>>>(n / 4, factor, quads(b), quads(c), quads(a));
  by_hand::check_launch();
}

void twice(std::int64_t n, const float* x, float* y) {
  twice_kernel<<<blocks(n / 4, threads), threads>>>(n / 4, quads(x), quads(y));
  by_hand::check_launch();
}

void black_scholes(std::int64_t n, float rate, float volatility, const options_of_stocks& all) {
  black_scholes_kernel<<<blocks(n / 4, threads), threads>>>(n / 4, rate, volatility, quads(all.price),
                                                            quads(all.strike), quads(all.years), quads(all.call),
                                                            quads(all.put));
  by_hand::check_launch();
}

void jacobi(std::int64_t n, const float* u, float* v) {
  const dim3 grid(blocks(n, threads), blocks(n - 2, rows_of_thread));
  jacobi_kernel<<<grid, threads>>>(n, u, v);
  by_hand::check_launch();
}

}  // namespace tessera::bench::by_cuda
