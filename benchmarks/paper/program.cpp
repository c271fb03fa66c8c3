#include "benchmarks/paper/program.h"

#include <algorithm>
#include <cmath>

namespace tessera::bench::paper {

std::int64_t square_root(std::int64_t n) {
  auto m = static_cast<std::int64_t>(std::sqrt(static_cast<double>(n)));
  while (m * m > n) --m;
  while ((m + 1) * (m + 1) <= n) ++m;
  return m;
}

std::int64_t cube_root(std::int64_t n) {
  auto m = static_cast<std::int64_t>(std::cbrt(static_cast<double>(n)));
  while (m * m * m > n) --m;
  while ((m + 1) * (m + 1) * (m + 1) <= n) ++m;
  return m;
}

ell_shape spmv_shape(std::int64_t n) {
  const std::int64_t rows = square_root(n);
  return {rows, std::max<std::int64_t>(1, rows / 1000)};
}

matrix_shape cocluster_shape(std::int64_t n) {
  const std::int64_t columns = std::max<std::int64_t>(1, square_root(n / 4));
  return {std::max<std::int64_t>(1, n / columns), columns};
}

}  // namespace tessera::bench::paper
