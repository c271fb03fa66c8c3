// Every row becomes a distribution: exponentials of the distances from the row's maximum, divided by their sum.
#include <algorithm>

#include "check.h"

namespace nd = tessera::nd;

namespace {

nd::array softmax(const nd::array& x) {
  const nd::array e = nd::exp(x - x.max(-1, true));
  return e / e.sum(-1, true);
}

}  // namespace

int main() {
  constexpr std::int64_t rows = 300, columns = 200;
  std::vector<float> x = example::numbers(rows * columns);
  for (float& each : x) each = 40 * each - 20;
  const nd::array made = softmax(nd::from<float>({rows, columns}, x));

  std::vector<float> expected(x.size());
  for (std::size_t first = 0; first < x.size(); first += columns) {
    const float most = *std::max_element(&x[first], &x[first] + columns);
    double sum = 0;
    for (std::size_t k = first; k < first + columns; ++k) sum += std::exp(static_cast<double>(x[k] - most));
    for (std::size_t k = first; k < first + columns; ++k)
      expected[k] = static_cast<float>(std::exp(static_cast<double>(x[k] - most)) / sum);
  }
  return example::report_close("softmax", made.read<float>(), expected, 1e-6);
}
