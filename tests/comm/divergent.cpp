// A job in which rank 1 makes one call that the others do not make: divergent WHAT.
#include <tessera/tessera.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/comm/on_this_rank.h"

namespace ts = tessera;

struct padded {
  char small;
  int value;
};

/// What is the same to a user on all ranks but for one word, and would be planned differently.
void make_alike(ts::context& ctx, const std::string& mode) {
  constexpr int n = 1000;
  const auto y = ctx.empty<int>({n}, mode == "layout" ? ts::blocks(100) : ts::blocks(200));
  if (mode == "type") static_cast<void>(ctx.empty<float>({n}));
  if (mode != "type") static_cast<void>(ctx.empty<int>({n}));
  y.write(std::vector<int>(n, mode == "data" ? 1 : 2));
  const ts::kernel window = ctx.compile(R"(
    struct padded { char small; int value; };
    //@tessera global i => read y[i:i+T], write z[i]
    __global__ void window(int n, padded p, const int* y, int* z) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) z[i] = y[i] + p.value;
    })",
                                        "window");
  const auto z = ctx.empty<int>({n});
  padded p;
  std::memset(static_cast<void*>(&p), mode == "padding" ? 1 : 2, sizeof p);
  p.small = 1, p.value = 3;
  window.launch({.threads = {n}, .let = {{"T", mode == "let" ? 2 : 1}}}, n, p, y, z);
  window.launch({.threads = {n}, .split = mode == "split" ? ts::like(y) : ts::like(z), .let = {{"T", 0}}}, n, p, y, z);
}

void run(const std::string& mode) {
  ts::context ctx;
  const ts::kernel scale = ctx.compile(R"(
    //@tessera global i => readwrite x[i]
    __global__ void scale(int n, float a, float* x) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) x[i] *= a;
    })",
                                       "scale");
  const int n = 1000;
  auto x = ctx.full<float>({n}, 1.0F);
  for (int t = 0; t < 500; ++t) {
    if (t == 300 && mode == "read") static_cast<void>(x.read());
    if (t == 300 && mode == "skip") continue;
    if (t == 400) make_alike(ctx, mode);
    scale.launch({.threads = {n}}, n, t == 300 && mode == "scalar" ? 2.0F : 1.0F, x);
  }
  if (mode != "short") static_cast<void>(x.read());
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  return ts::support::on_this_rank([&](int rank) { return run(rank == 1 ? argv[1] : ""), 0; });
}
