// Prices of options on all cores, with the C library's vector functions.
#include <cmath>

#include "benchmarks/paper/rivals/threads/threads.h"

extern "C" {
__attribute__((simd("notinbranch"))) float expf(float) noexcept;
__attribute__((simd("notinbranch"))) float logf(float) noexcept;
}

namespace tessera::bench::paper {
namespace {

inline __attribute__((always_inline)) float normal_cdf(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * std::fabs(d));
  const float tail =
      0.39894228f * expf(-0.5f * d * d) *
      (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}

class black_scholes final : public threads_program {
 public:
  black_scholes(thread_team& team, const problem& p)
      : threads_program(team, p), price_(p.n), strike_(p.n), years_(p.n), call_(p.n), put_(p.n) {}
  void prepare() override {
    fill(price_.data(), n(), first_seed, 5, 30);
    fill(strike_.data(), n(), first_seed + 1, 1, 100);
    fill(years_.data(), n(), first_seed + 2, 0.25f, 10);
  }
  void run() override {
    const float *price = price_.data(), *strike = strike_.data(), *years = years_.data();
    float *call = call_.data(), *put = put_.data();
    parallel(n(), [=](std::int64_t begin, std::int64_t end) {
      constexpr float rate = black_scholes_rate, volatility = black_scholes_volatility;
#pragma omp simd
      for (std::int64_t i = begin; i < end; ++i) {
        const float root = std::sqrt(years[i]);
        const float d1 =
            (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
        const float below1 = normal_cdf(d1), below2 = normal_cdf(d1 - volatility * root);
        const float discounted = strike[i] * expf(-rate * years[i]);
        call[i] = price[i] * below1 - discounted * below2;
        put[i] = discounted * (1.0f - below2) - price[i] * (1.0f - below1);
      }
    });
  }
  std::vector<double> result() const override { return beginning(call_.data(), n()); }

 private:
  plain_array<float> price_, strike_, years_, call_, put_;
};

}  // namespace

std::unique_ptr<program> threads_black_scholes(thread_team& team, const problem& p) {
  return std::make_unique<black_scholes>(team, p);
}

}  // namespace tessera::bench::paper
