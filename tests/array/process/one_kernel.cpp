// A small program for the tests that need a process of their own: one stencil, twice, under the settings of the
// environment. Prints "right", or the kind of the error and its message.
#include <tessera/tessera.h>

#include <cstdio>

namespace ts = tessera;

namespace {

constexpr const char* source = R"(
//@tessera global i => read x[i-1:i+1], write y[i]
__global__ void stencil(int n, float* y, const float* x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = (i > 0 ? x[i - 1] : 0) + x[i] + (i + 1 < n ? x[i + 1] : 0);
}
)";

int run() {
  ts::context ctx;
  const ts::kernel stencil = ctx.compile(source, "stencil");
  auto x = ctx.ones<float>({1000}), y = ctx.zeros<float>({1000});
  stencil.launch({.threads = {1000}, .name = "first \"step\""}, 1000, y, x);
  stencil.launch({.threads = {1000}}, 1000, x, y);
  const bool right = x.read()[500] == 9;
  std::puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const ts::compile_error& e) {
    std::printf("compile_error: %s\n", e.what());
  } catch (const ts::error& e) {
    std::printf("error: %s\n", e.what());
  } catch (const std::exception& e) {
    std::printf("no error of ours: %s\n", e.what());
  }
  return 3;
}
