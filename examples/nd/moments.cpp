// The mean, the standard deviation and the least element of every column and of everything: reductions of one array
// along the same axes are one pass over it, and one wait brings all results.
#include <algorithm>

#include "check.h"

namespace nd = tessera::nd;

int main() {
  constexpr std::int64_t rows = 3'000, columns = 40;
  std::vector<float> x = example::numbers(rows * columns);
  for (float& each : x) each += 100;
  const nd::array a = nd::from<float>({rows, columns}, x);

  const nd::graph_stats before = nd::stats();
  const nd::array mean = a.mean(0), spread = a.std(0), least = a.min(0);
  nd::fetch({mean, spread, least});
  const example::work done(before);
  constexpr std::int64_t bytes = rows * columns * static_cast<std::int64_t>(sizeof(float));
  int wrong = 0;
  if (done.flushes == 1) wrong += example::require(2 * done.bytes < 3 * bytes, "the array is read once");

  std::vector<float> expected, result = mean.read<float>();
  for (const nd::array& each : {spread, least}) {
    const std::vector<float> more = each.read<float>();
    result.insert(result.end(), more.begin(), more.end());
  }
  std::vector<float> deviations, minima;
  for (std::size_t j = 0; j < columns; ++j) {
    double sum = 0, squares = 0;
    float low = x[j];
    for (std::size_t i = 0; i < rows; ++i) {
      sum += static_cast<double>(x[i * columns + j]);
      low = std::min(low, x[i * columns + j]);
    }
    for (std::size_t i = 0; i < rows; ++i) {
      const double gap = static_cast<double>(x[i * columns + j]) - sum / rows;
      squares += gap * gap;
    }
    expected.push_back(static_cast<float>(sum / rows));
    deviations.push_back(static_cast<float>(std::sqrt(squares / rows)));
    minima.push_back(low);
  }
  expected.insert(expected.end(), deviations.begin(), deviations.end());
  expected.insert(expected.end(), minima.begin(), minima.end());
  return example::report_close("moments", result, expected, 1e-6) + wrong;
}
