// The least value with its index: reduce(name) with an operation of the program's own. Every thread block stores the
// best of its elements as if it were alone; Tessera combines what the blocks stored by the text given as `.combine`,
// within a device, between devices and between ranks.
#include <tessera/tessera.h>

#include <algorithm>

#include "check.h"

namespace ts = tessera;

struct best {
  float value;
  int at;
};

int main() {
  const int n = 100'000;
  const std::vector<float> values = example::numbers(n);

  ts::context ctx;
  ts::kernel find_least = ctx.load_kernel(
      "16_argmin.cu",
      {.reductions = {{.name = "argmin",
                       .identity = "{INFINITY, -1}",
                       .combine = "if (b.value < a.value || (b.value == a.value && b.at < a.at)) a = b;"}}});
  auto x = ctx.from<float>({n}, values);
  auto least = ctx.empty<best>({1});
  find_least.launch({.threads = {n}, .block = {128}}, n, least, x);

  const auto at = std::min_element(values.begin(), values.end());
  return example::report("argmin", least.read(), {best{*at, static_cast<int>(at - values.begin())}});
}
