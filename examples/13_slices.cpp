// Kernels on parts of an array: a slice is a view, and a slice of a slice is a view of the same array.
#include <tessera/tessera.h>

#include "check.h"

namespace ts = tessera;

int main() {
  const std::int64_t rows = 300, columns = 400;
  std::vector<float> values = example::numbers(rows * columns);

  ts::context ctx;
  ts::kernel scale = ctx.load_kernel("13_slices.cu");
  auto array = ctx.from<float>({rows, columns}, values, ts::rows(50));
  auto middle = array.slice({{50, 250}, {100, 300}});
  auto spot = middle.slice({{20, 60}, {30, 90}});  // rows 70 to 109, columns 130 to 189 of the array
  scale.launch({.threads = {200, 200}, .block = {32, 8}}, 200, 200, columns, middle, 2.0f);
  scale.launch({.threads = {60, 40}, .block = {32, 8}}, 40, 60, columns, spot, 5.0f);
  array.slice({{0, 1}}).fill(-1);

  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) {
      float& x = values[static_cast<std::size_t>(i * columns + j)];
      if (i >= 50 && i < 250 && j >= 100 && j < 300) x *= 2.0f;
      if (i >= 70 && i < 110 && j >= 130 && j < 190) x *= 5.0f;
      if (i == 0) x = -1;
    }
  return example::report("slices", array.read(), values);
}
