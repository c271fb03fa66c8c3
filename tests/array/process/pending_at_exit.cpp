// A program that ends while work of the default context is pending, its kernel not even compiled: the process ends when
// the work is finished.
#include <tessera/tessera.h>

#include <chrono>
#include <string>

namespace ts = tessera;

int main() {
  // A text that no cache has, so that it is compiled while the process ends.
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  const ts::kernel copy =
      ts::default_context().compile("//@tessera global i => read x[i], write y[i]\n// " + std::to_string(now) + R"(
__global__ void copy(float* y, const float* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
})",
                                    "copy");
  const auto x = ts::default_context().full<float>({1024}, 1);
  for (int step = 0; step < 3; ++step) copy.launch({.threads = {1024}}, ts::default_context().empty<float>({1024}), x);
}
