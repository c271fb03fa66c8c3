// A function whose loop depends on data, written in place: TS_FN keeps the text of a lambda, and the variables that it
// captures are listed.
#include <tessera/algo.h>

#include <vector>

#include "check.h"

namespace ts = tessera;

int main() {
  const int w = 301, h = 200;
  auto escape = TS_FN((w, h), [=](ts::index2 p) {
    float cx = -2 + 3.f * static_cast<float>(p.col) / w, cy = -1.5f + 3.f * static_cast<float>(p.row) / h, x = 0, y = 0;
    int k = 0;
    while (k < 1000 && x * x + y * y < 4) {
      float t = x * x - y * y + cx;
      y = 2 * x * y + cy;
      x = t;
      ++k;
    }
    return k;
  });
  ts::matrix<int> img(h, w);
  ts::map(escape).into(img);
  std::vector<int> expected;
  for (int i = 0; i < h; ++i)
    for (int j = 0; j < w; ++j) expected.push_back(escape(ts::index2{i, j}));
  // At the edge of the set the last bit decides.
  const std::size_t one_in = example::has_gpus(ts::default_context()) ? 100 : 0;
  return example::report(
      "Mandelbrot set", img.to_host(), expected, [](int, int) { return false; }, one_in);
}
