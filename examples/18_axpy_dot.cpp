// Containers and functions: no kernel is written. A generic lambda is recorded; the numbers it captures are data, so
// that changing them compiles nothing.
#include <tessera/algo.h>

#include <cmath>
#include <vector>

#include "check.h"

namespace ts = tessera;

int main() {
  const std::int64_t n = 100'003;
  const std::vector<float> start = example::numbers(n);
  ts::vector<float> x(start), y(n, 2.f);
  std::vector<float> expected(start.size(), 2.f);
  for (int step = 1; step <= 5; ++step) {
    const float a = 0.5f * static_cast<float>(step);
    auto axpy = ts::map([a](auto u, auto v) { return a * u + v; });
    axpy.into(y, x, y);  // asynchronous, on all devices
    for (std::size_t k = 0; k < start.size(); ++k) expected[k] = a * start[k] + expected[k];
  }
  // A value: later skeletons take it as it is, and get() is the only wait.
  const ts::value<float> dot = ts::map_reduce(ts::multiplies(), ts::plus())(x, y);
  ts::vector<float> scaled = ts::map([](auto u, auto d) { return u / d; })(y, dot);
  for (float& e : expected) e = e / dot.get();
  const bool is_rounded_once = example::has_gpus(ts::default_context());
  return example::report("axpy and dot", scaled.to_host(), expected,
                         [=](float a, float b) { return is_rounded_once && std::abs(a - b) <= 1e-5f * std::abs(b); });
}
