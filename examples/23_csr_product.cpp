// y = A x for a sparse matrix in CSR form, ten times. Which entries a row has is known only when the program runs: the
// launch gives it as a table of intervals, and the kernel's annotation names rows of that table.
#include <tessera/tessera.h>

#include <algorithm>
#include <utility>

#include "check.h"

namespace ts = tessera;

namespace {

struct csr_matrix {
  std::vector<int> offsets{0}, columns;
  std::vector<float> values;
};

/// Rows of 0 to 31 entries, most of them near the diagonal; a few long rows at the end.
csr_matrix make_matrix(int n) {
  const std::vector<float> random = example::numbers(40 * std::int64_t{n}, 7);
  std::size_t next = 0;
  csr_matrix m;
  for (int r = 0; r < n; ++r) {
    const float density = random[next] * random[next + 1];
    next += 2;
    const int entries = r >= n - 8 ? 300 : static_cast<int>(density * 32);
    for (int k = 0; k < entries; ++k) {
      const int near = r - 50 + static_cast<int>(random[next++] * 100);
      m.columns.push_back(k % 8 == 7 ? (r * 31 + k * 97) % n : std::min(std::max(near, 0), n - 1));
      m.values.push_back((static_cast<float>(k % 5) - 2) / 16);
    }
    m.offsets.push_back(static_cast<int>(m.columns.size()));
  }
  return m;
}

std::vector<float> product(const csr_matrix& m, const std::vector<float>& x) {
  std::vector<float> y(x.size());
  for (std::size_t r = 0; r < y.size(); ++r)
    for (auto k = static_cast<std::size_t>(m.offsets[r]); k < static_cast<std::size_t>(m.offsets[r + 1]); ++k)
      y[r] += m.values[k] * x[static_cast<std::size_t>(m.columns[k])];
  return y;
}

}  // namespace

int main() {
  constexpr int n = 8'000, steps = 10;
  const csr_matrix m = make_matrix(n);
  std::vector<float> expected = example::numbers(n);

  ts::context ctx;
  ts::kernel csr_product = ctx.load_kernel("23_csr_product.cu");
  const auto entries = static_cast<std::int64_t>(m.values.size());
  auto offsets = ctx.from<int>({n + 1}, m.offsets);
  auto columns = ctx.from<int>({entries}, m.columns);
  auto values = ctx.from<float>({entries}, m.values);
  auto x = ctx.from<float>({n}, expected), y = ctx.empty<float>({n});
  const ts::intervals rows(m.offsets);  // row i: offsets[i] <= k < offsets[i + 1]
  for (int step = 0; step < steps; ++step) {
    csr_product.launch({.threads = {n}, .tables = {{"rows", rows}}}, n, y, offsets, columns, values, x);
    std::swap(x, y);
  }

  for (int step = 0; step < steps; ++step) expected = product(m, expected);
  return example::report("CSR products", x.read(), expected);
}
