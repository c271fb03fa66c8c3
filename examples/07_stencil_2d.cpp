// A stencil on a grid that is dealt out in tiles: each device pulls the rows and columns around its tiles. The two
// rules for `old` form a cross, so the corners, which no thread reads, do not travel.
#include <tessera/tessera.h>

#include "check.h"

namespace ts = tessera;

int main() {
  const std::int64_t rows = 500, columns = 700;
  const int steps = 8;
  std::vector<float> now = example::numbers(rows * columns), next(now.size());

  ts::context ctx;
  ts::kernel blur = ctx.load_kernel("07_stencil_2d.cu");
  const auto tiles = ts::tiles({128, 160}).halo(1);
  auto old = ctx.from<float>({rows, columns}, now, tiles);
  auto fresh = ctx.empty<float>({rows, columns}, tiles);
  for (int step = 0; step < steps; ++step) {
    blur.launch({.threads = {columns, rows}, .block = {32, 8}}, rows, columns, fresh, old);
    std::swap(old, fresh);
  }

  for (int step = 0; step < steps; ++step) {
    for (std::int64_t y = 0; y < rows; ++y)
      for (std::int64_t x = 0; x < columns; ++x) {
        const float* at = &now[static_cast<std::size_t>(y * columns + x)];
        float sum = *at;
        sum += y > 0 ? at[-columns] : 0;
        sum += y + 1 < rows ? at[columns] : 0;
        sum += x > 0 ? at[-1] : 0;
        sum += x + 1 < columns ? at[1] : 0;
        next[static_cast<std::size_t>(y * columns + x)] = sum * 0.2f;
      }
    std::swap(now, next);
  }
  return example::report("2-D stencil on tiles", old.read(), now);
}
