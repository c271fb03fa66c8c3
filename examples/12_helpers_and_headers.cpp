// A kernel in several pieces: a header of the user's own, a macro, and __device__ functions that look at the thread's
// indices. It draws the Mandelbrot set.
#include <tessera/tessera.h>

#include "check.h"

namespace ts = tessera;

namespace {

int escape_time(float re, float im) {
  float x = 0, y = 0;
  for (int step = 0; step < 200; ++step) {
    if (x * x + y * y > 4.0f) return step;
    const float next = x * x - y * y + re;
    y = 2.0f * x * y + im;
    x = next;
  }
  return 200;
}

}  // namespace

int main() {
  const int height = 240, width = 360;

  ts::context ctx;
  // Not fused: the same bits as the plain loop below, on GPUs too.
  ts::kernel mandelbrot = ctx.load_kernel("12_helpers_and_headers.cu", {.fused = false});
  auto times = ctx.empty<int>({height, width});
  mandelbrot.launch({.threads = {width, height}, .block = {16, 16}}, height, width, times);

  std::vector<int> expected;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      expected.push_back(escape_time(static_cast<float>(x) * 3.0f / static_cast<float>(width) - 2.0f,
                                     static_cast<float>(y) * 2.0f / static_cast<float>(height) - 1.0f));
  return example::report("Mandelbrot set", times.read(), expected);
}
