// The matrix product as every CUDA course writes it: tiles of 16 x 16 in __shared__ memory, with barriers.
#include <tessera/tessera.h>

#include "check.h"

namespace ts = tessera;

int main() {
  const std::int64_t m = 150, n = 130, k = 170;
  const std::vector<float> x = example::numbers(m * k, 1), y = example::numbers(k * n, 2);

  ts::context ctx;
  // Not fused: the same bits as the plain loop below, on GPUs too.
  ts::kernel product = ctx.load_kernel("04_matrix_product_tiled.cu", {.fused = false});
  auto a = ctx.from<float>({m, k}, x);
  auto b = ctx.from<float>({k, n}, y);
  auto c = ctx.empty<float>({m, n}, ts::tiles({64, 64}));
  product.launch({.threads = {n, m}, .block = {16, 16}}, m, n, k, c, a, b);

  std::vector<float> expected;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (std::int64_t l = 0; l < k; ++l)
        sum += x[static_cast<std::size_t>(i * k + l)] * y[static_cast<std::size_t>(l * n + j)];
      expected.push_back(sum);
    }
  return example::report("tiled matrix product", c.read(), expected);
}
