// Algorithms in the manner of Thrust: iterators or ranges, functors with state, views that are computed where they are
// used, sorts and reductions by key. Each call works on all devices of all ranks.
#include <tessera/algo.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "check.h"

namespace ts = tessera;

TS_DEVICE(struct saxpy {
  float a;
  __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};)

namespace {

constexpr std::int64_t n = 50'021;

/// Everything that the program prints about customers and large numbers, by loops.
std::vector<float> by_loops(std::vector<float> x, std::vector<float> y, const std::vector<int>& customer,
                            const std::vector<float>& amount) {
  std::vector<float> expected;
  std::transform(x.begin(), x.end(), y.begin(), y.begin(), saxpy{2.f});
  for (const float v : x)
    if (v > 0.5f) expected.push_back(v);
  std::vector<float> totals(200, 0.f);
  for (std::size_t k = 0; k < customer.size(); ++k) totals[static_cast<std::size_t>(customer[k])] += amount[k];
  expected.insert(expected.end(), totals.begin(), totals.end());
  std::sort(x.begin() + 10, x.end(), std::greater<>());
  expected.insert(expected.end(), x.begin(), x.end());
  expected.insert(expected.end(), y.begin(), y.end());
  return expected;
}

}  // namespace

int main() {
  const std::vector<float> start = example::numbers(n), more = example::numbers(n, 7);
  std::vector<int> customers;
  std::vector<float> amounts;  // whole numbers, whose sums are exact in any order
  for (const float v : example::numbers(n, 11)) {
    customers.push_back(static_cast<int>(v * 200));
    amounts.push_back(std::floor(v * 977));
  }
  const std::vector<float> expected = by_loops(start, more, customers, amounts);

  ts::vector<float> x(start), y(more), amount(amounts);
  ts::vector<int> customer(customers);
  ts::transform(x.begin(), x.end(), y.begin(), y.begin(), saxpy{2.f});
  auto big = ts::copy_if(x, [](auto v) { return v > 0.5f; });  // kept where they are found
  const float sum = ts::reduce(ts::views::zip(x, y) | ts::views::transform([](auto u, auto v) { return u - v; })).get();
  ts::stable_sort_by_key(customer, amount);
  auto [id, total] = ts::reduce_by_key(customer, amount);
  ts::sort(x.begin() + 10, x.end(), ts::greater());

  std::vector<float> result = big.to_host();
  for (const auto& part : {total.to_host(), x.to_host(), y.to_host()})
    result.insert(result.end(), part.begin(), part.end());
  double exact = 0;
  for (std::size_t k = 0; k < start.size(); ++k) exact += start[k] - (2.0 * start[k] + more[k]);
  if (std::abs(sum - exact) > 1e-4 * std::abs(exact) || id.size() != 200) {
    std::printf("algorithms: the sum is %.7g, not %.7g, of %lld customers\n", static_cast<double>(sum), exact,
                static_cast<long long>(id.size()));
    return 1;
  }
  const bool is_rounded_once = example::has_gpus(ts::default_context());
  return example::report("algorithms", result, expected,
                         [=](float a, float b) { return is_rounded_once && std::abs(a - b) <= 1e-6f * std::abs(b); });
}
