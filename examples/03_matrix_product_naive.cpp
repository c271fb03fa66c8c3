// A matrix product with raw pointers. The arrays have two axes; the kernel computes its own offsets, as in CUDA, and
// they stay right although no device holds more than its share of c and the rows of a that belong to it.
#include <tessera/tessera.h>

#include "check.h"

namespace ts = tessera;

int main() {
  const std::int64_t m = 150, n = 130, k = 170;
  const std::vector<float> x = example::numbers(m * k, 1), y = example::numbers(k * n, 2);

  ts::context ctx;
  // Not fused: the same bits as the plain loop below, on GPUs too.
  ts::kernel product = ctx.load_kernel("03_matrix_product_naive.cu", {.fused = false});
  auto a = ctx.from<float>({m, k}, x, ts::rows(32));
  auto b = ctx.from<float>({k, n}, y, ts::replicated());
  auto c = ctx.empty<float>({m, n}, ts::rows(32));
  product.launch({.threads = {n, m}, .block = {16, 16}}, m, n, k, c, a, b);

  std::vector<float> expected;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (std::int64_t l = 0; l < k; ++l)
        sum += x[static_cast<std::size_t>(i * k + l)] * y[static_cast<std::size_t>(l * n + j)];
      expected.push_back(sum);
    }
  return example::report("matrix product", c.read(), expected);
}
