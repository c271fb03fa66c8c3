// Prices of options: some thirty operations on arrays that are carried out by one launch, which reads and writes 20
// bytes an option. No intermediate result is stored.
#include <utility>

#include "check.h"

namespace nd = tessera::nd;

namespace {

constexpr std::int64_t options = 50'000;

std::pair<nd::array, nd::array> price(const nd::array& S, const nd::array& X, const nd::array& T, float R, float V) {
  auto h = V * nd::sqrt(T), d1 = (nd::log(S / X) + (R + 0.5f * V * V) * T) / h, e = X * nd::exp(-R * T);
  auto a = nd::normal_cdf(d1), b = nd::normal_cdf(d1 - h);
  return {S * a - e * b, e * (1 - b) - S * (1 - a)};
}

std::vector<float> scaled(std::vector<float> x, float low, float high) {
  for (float& each : x) each = low + (high - low) * each;
  return x;
}

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

}  // namespace

int main() {
  const std::vector<float> s = scaled(example::numbers(options, 1), 10, 100);
  const std::vector<float> x = scaled(example::numbers(options, 2), 10, 100);
  const std::vector<float> t = scaled(example::numbers(options, 3), 0.2f, 2);
  constexpr float rate = 0.02f, volatility = 0.3f;

  const nd::array S = nd::from(s), X = nd::from(x), T = nd::from(t);
  const nd::graph_stats before = nd::stats();
  const auto [call, put] = price(S, X, T, rate, volatility);
  nd::eval({call, put});
  const example::work done(before);
  int wrong = 0;
  if (done.flushes == 1)
    wrong += example::require(done.launches == 1 && done.bytes == 20 * options, "one launch, 20 bytes an option");

  std::vector<float> expected;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const double S_i = s[i], X_i = x[i], T_i = t[i], R = rate, V = volatility, h = V * std::sqrt(T_i);
    const double d1 = (std::log(S_i / X_i) + (R + 0.5 * V * V) * T_i) / h, e = X_i * std::exp(-R * T_i);
    expected.push_back(static_cast<float>(S_i * normal_cdf(d1) - e * normal_cdf(d1 - h)));
  }
  std::vector<float> prices = call.read<float>();
  // A call less a put is what the share is worth above the discounted strike.
  const std::vector<float> puts = put.read<float>();
  for (std::size_t i = 0; i < puts.size(); ++i) {
    const float parity = prices[i] - puts[i] - (s[i] - x[i] * std::exp(-rate * t[i]));
    wrong += example::require(std::abs(parity) < 1e-3f, "calls and puts have the parity");
  }
  return example::report_close("Black-Scholes", prices, expected, 1e-4) + wrong;
}
