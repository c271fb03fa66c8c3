// The smallest program: two vectors are added on all devices. Run the examples in this folder, where their kernels are.
#include <tessera/tessera.h>

#include "check.h"

namespace ts = tessera;

int main() {
  const std::int64_t n = 1'000'000;
  const std::vector<float> x = example::numbers(n, 1), y = example::numbers(n, 2);

  ts::context ctx;
  ts::kernel vector_add = ctx.load_kernel("01_vector_add.cu");
  auto a = ctx.from<float>({n}, x);
  auto b = ctx.from<float>({n}, y);
  auto c = ctx.empty<float>({n});
  vector_add.launch({.threads = {n}, .block = {256}}, n, c, a, b);

  std::vector<float> expected(x.size());
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = x[i] + y[i];
  return example::report("vector add", c.read(), expected);
}
