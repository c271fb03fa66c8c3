// Sums of rows with reduce(+): every thread block stores the sum of its 256 columns as if it were alone, and Tessera
// adds up what the blocks of one row stored, within a device and between devices.
#include <tessera/tessera.h>

#include "check.h"

namespace ts = tessera;

int main() {
  const std::int64_t rows = 60, columns = 10'000;
  std::vector<float> values = example::numbers(rows * columns);
  for (float& x : values) x = static_cast<float>(static_cast<int>(x * 100));  // whole: the order of adding is no matter

  ts::context ctx;
  ts::kernel row_sums = ctx.load_kernel("05_row_sums.cu");
  auto m = ctx.from<float>({rows, columns}, values, ts::columns(2'560));
  auto sums = ctx.empty<float>({rows});
  row_sums.launch({.threads = {columns, rows}, .block = {256, 1}}, columns, sums, m);

  std::vector<float> expected(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < values.size(); ++i) expected[i / static_cast<std::size_t>(columns)] += values[i];
  return example::report("row sums", sums.read(), expected);
}
