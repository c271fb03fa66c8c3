// A histogram with CUDA's atomics: every device counts into bins of its own, which are added to the old contents.
#include <tessera/tessera.h>

#include "check.h"

namespace ts = tessera;

int main() {
  const std::int64_t n = 1'000'000;
  std::vector<std::uint8_t> values;
  for (const float x : example::numbers(n)) values.push_back(static_cast<std::uint8_t>(x * x * 256));

  ts::context ctx;
  ts::kernel histogram = ctx.load_kernel("06_histogram.cu");
  auto data = ctx.from<std::uint8_t>({n}, values);
  auto bins = ctx.zeros<std::uint32_t>({256});
  histogram.launch({.threads = {n}, .block = {256}}, n, bins, data);
  histogram.launch({.threads = {n}, .block = {256}}, n, bins, data);  // counts go on

  std::vector<std::uint32_t> expected(256);
  for (const std::uint8_t v : values) expected[v] += 2;
  return example::report("histogram", bins.read(), expected);
}
