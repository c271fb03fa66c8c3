// Neighbourhoods, rows and pairs: heat spreads over a plate whose edge repeats its last element; then the rows are
// added up, their sums are added in order, and compared with each other.
#include <tessera/algo.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "check.h"

namespace ts = tessera;

namespace {

constexpr int rows = 120, columns = 90, steps = 20;

/// One step by a plain loop.
std::vector<float> spread(const std::vector<float>& t) {
  const auto at = [&](int i, int j) {
    return t[static_cast<std::size_t>(std::clamp(i, 0, rows - 1) * columns + std::clamp(j, 0, columns - 1))];
  };
  std::vector<float> u;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) u.push_back(0.25f * (at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1)));
  return u;
}

}  // namespace

int main() {
  std::vector<float> expected = example::numbers(rows * columns);
  ts::matrix<float> t(rows, columns, expected), u(rows, columns);
  auto heat = ts::map_overlap<2>([](auto c) { return 0.25f * (c(-1, 0) + c(1, 0) + c(0, -1) + c(0, 1)); }, {1, 1})
                  .edge(ts::duplicate);
  for (int s = 0; s < steps; ++s) {
    heat.into(u, t);
    std::swap(t, u);
    expected = spread(expected);
  }
  ts::vector<float> sums = ts::reduce_rows(t, ts::plus()), run = ts::inclusive_scan(sums);
  ts::matrix<float> gap = ts::map_pairs([](auto a, auto b) { return abs(a - b); })(sums, sums);

  const std::vector<float> host = sums.to_host(), running = run.to_host(), gaps = gap.to_host();
  bool right = std::abs(running.back() - ts::reduce(sums).get()) < 1e-3f * running.back();
  for (std::size_t i = 0; i < host.size(); ++i)
    for (std::size_t j = 0; j < host.size(); ++j)
      right = right && gaps[i * host.size() + j] == std::abs(host[i] - host[j]);
  return example::report("heat", t.to_host(), right ? expected : std::vector<float>());
}
