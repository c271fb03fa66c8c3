// Distances from the means of columns: the array is read twice, once for the means and once beside them, and the result
// is written once.
#include "check.h"

namespace nd = tessera::nd;

namespace {

constexpr std::int64_t rows = 4'000, columns = 30;

nd::array distances(const nd::array& a, int axis) { return nd::sqrt(nd::pow(a - a.mean(axis), 2)); }

}  // namespace

int main() {
  const std::vector<float> x = example::numbers(rows * columns);
  const nd::array a = nd::from<float>({rows, columns}, x);
  const nd::graph_stats before = nd::stats();
  const nd::array made = distances(a, 0);
  nd::eval({made});
  const example::work done(before);
  constexpr std::int64_t bytes = rows * columns * static_cast<std::int64_t>(sizeof(float));
  int wrong = 0;
  if (done.flushes == 1)
    wrong += example::require(done.bytes >= 3 * bytes && 10 * done.bytes < 31 * bytes, "two reads and one write of a");

  std::vector<float> expected(x.size());
  for (std::size_t j = 0; j < columns; ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < rows; ++i) sum += static_cast<double>(x[i * columns + j]);
    for (std::size_t i = 0; i < rows; ++i)
      expected[i * columns + j] = static_cast<float>(std::abs(static_cast<double>(x[i * columns + j]) - sum / rows));
  }
  return example::report_close("listing 1", made.read<float>(), expected, 1e-5) + wrong;
}
