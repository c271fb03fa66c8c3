// The largest eigenvalue of a matrix by the power method. Each step divides by the largest element of the step before:
// value() hands it from kernel to kernel, the same on every device and rank, and the program never waits for it. Only
// get() does, in the end.
#include <tessera/tessera.h>

#include <algorithm>
#include <cmath>

#include "check.h"

namespace ts = tessera;

namespace {

/// One step by a plain loop; returns the largest element of A x.
float step(std::vector<float>& x) {
  std::vector<float> y(x.size());
  float top = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float left = i > 0 ? x[i - 1] : 0, right = i + 1 < x.size() ? x[i + 1] : 0;
    y[i] = 2 * x[i] - (left + right);
    top = std::max(top, std::abs(y[i]));
  }
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = y[i] / top;
  return top;
}

}  // namespace

int main() {
  const int n = 20'000, steps = 30;
  std::vector<float> start = example::numbers(n);

  ts::context ctx;
  ts::kernel apply = ctx.load_kernel("14_power_method.cu", {.name = "apply"});
  ts::kernel largest = ctx.load_kernel("14_power_method.cu", {.name = "largest"});
  ts::kernel divide = ctx.load_kernel("14_power_method.cu", {.name = "divide"});
  auto x = ctx.from<float>({n}, start);
  auto y = ctx.empty<float>({n});
  auto top = ctx.empty<float>({1});
  ts::value<float> eigenvalue;
  for (int i = 0; i < steps; ++i) {
    apply.launch({.threads = {n}}, n, y, x);
    largest.launch({.threads = {n}}, n, y, top);
    eigenvalue = top.value();
    divide.launch({.threads = {n}}, n, x, y, eigenvalue);
  }

  float expected = 0;
  for (int i = 0; i < steps; ++i) expected = step(start);
  std::vector<float> result = x.read();
  result.push_back(eigenvalue.get());
  start.push_back(expected);
  return example::report("power method", result, start);
}
