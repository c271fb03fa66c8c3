// Distances between all pairs of points: two views of one array, repeated along each other's axis. The array of n x n x
// 18 differences never exists: a reduction computes them.
#include "check.h"

namespace nd = tessera::nd;

int main() {
  constexpr std::int64_t n = 200, features = 18;
  const std::vector<float> points = example::numbers(n * features);
  const nd::array x = nd::from<float>({n, features}, points);

  const nd::graph_stats before = nd::stats();
  const nd::array D = nd::sqrt(nd::sum(nd::pow(x(nd::all, nd::new_axis) - x(nd::new_axis), 2), -1));
  nd::eval({D});
  const example::work done(before);
  int wrong = 0;
  if (done.flushes == 1)
    wrong += example::require(done.bytes < 3 * n * n * static_cast<std::int64_t>(sizeof(float)),
                              "differences and their squares are not stored");

  std::vector<float> expected;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < features; ++k) {
        const double gap =
            static_cast<double>(points[i * features + k]) - static_cast<double>(points[j * features + k]);
        sum += gap * gap;
      }
      expected.push_back(static_cast<float>(std::sqrt(sum)));
    }
  const std::vector<float> result = D.read<float>();
  for (std::size_t i = 0; i < n; ++i) wrong += example::require(result[i * n + i] == 0, "the diagonal is exactly 0");
  return example::report_close("distances", result, expected, 1e-6) + wrong;
}
