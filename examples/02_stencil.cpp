// The program of the README, as it stands there; only the check is added. After every step the devices exchange one
// element at each border between them, and nothing else.
#include "check.h"

static int check(const std::vector<float>& result) {
  std::vector<float> now(result.size(), 1), next(now.size());
  for (int step = 0; step < 10; ++step) {
    for (std::size_t i = 0; i < now.size(); ++i) {
      const float left = i > 0 ? now[i - 1] : 0;
      const float right = i + 1 < now.size() ? now[i + 1] : 0;
      next[i] = (left + now[i] + right) / 3.0f;
    }
    std::swap(now, next);
  }
  return example::report("10 steps of a stencil", result, now);
}

// clang-format off
#include <tessera/tessera.h>
namespace ts = tessera;

int main() {
    ts::context ctx;                                        // every device of every rank
    ts::kernel stencil = ctx.load_kernel("stencil.cu");     // or ctx.compile(source_text, "stencil")

    const int64_t n = 1'000'000;
    auto input  = ctx.ones<float>({n}, ts::blocks(64'000).halo(1));
    auto output = ctx.zeros<float>({n}, ts::blocks(64'000).halo(1));   // the distribution may be left out

    for (int step = 0; step < 10; ++step) {
        stencil.launch({.threads = {n}, .block = {256}}, n, output, input);   // asynchronous
        std::swap(input, output);
    }
    std::vector<float> result = input.read();               // waits for what it needs, nothing else
    return check(result);
}
