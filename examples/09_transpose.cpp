// Transposition through shared memory. Both matrices are dealt out by rows, so every device needs columns of the
// input that lie with all the others: each superblock pulls exactly its part.
#include <tessera/tessera.h>

#include "check.h"

namespace ts = tessera;

int main() {
  const std::int64_t rows = 300, columns = 500;
  std::vector<double> values;
  for (const float x : example::numbers(rows * columns)) values.push_back(x);

  ts::context ctx;
  ts::kernel transpose = ctx.load_kernel("09_transpose.cu");
  auto in = ctx.from<double>({rows, columns}, values, ts::rows(64));
  auto out = ctx.empty<double>({columns, rows}, ts::rows(64));
  transpose.launch({.threads = {columns, rows}, .block = {16, 16}}, rows, columns, out, in);

  std::vector<double> expected(values.size());
  for (std::int64_t y = 0; y < rows; ++y)
    for (std::int64_t x = 0; x < columns; ++x)
      expected[static_cast<std::size_t>(x * rows + y)] = values[static_cast<std::size_t>(y * columns + x)];
  return example::report("transposition", out.read(), expected);
}
