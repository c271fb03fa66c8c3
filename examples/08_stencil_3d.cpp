// Diffusion in three dimensions. Left to itself, Tessera cuts the slowest axis: each device has a slab and pulls one
// layer from either side.
#include <tessera/tessera.h>

#include "check.h"

namespace ts = tessera;

int main() {
  const std::int64_t nz = 50, ny = 60, nx = 70, layer = ny * nx;
  const int steps = 5;
  const float rate = 0.1f;
  std::vector<float> now = example::numbers(nz * layer), next(now.size());

  ts::context ctx;
  // Not fused: the same bits as the plain loop below, on GPUs too.
  ts::kernel diffuse = ctx.load_kernel("08_stencil_3d.cu", {.fused = false});
  auto old = ctx.from<float>({nz, ny, nx}, now);
  auto fresh = ctx.empty<float>({nz, ny, nx});
  for (int step = 0; step < steps; ++step) {
    diffuse.launch({.threads = {nx, ny, nz}, .block = {32, 4, 2}}, nz, ny, nx, rate, fresh, old);
    std::swap(old, fresh);
  }

  for (int step = 0; step < steps; ++step) {
    for (std::int64_t i = 0; i < nz * layer; ++i) {
      const std::int64_t z = i / layer, y = i / nx % ny, x = i % nx;
      const float* at = &now[static_cast<std::size_t>(i)];
      const float flow = (z > 0 ? at[-layer] : *at) + (z + 1 < nz ? at[layer] : *at) + (y > 0 ? at[-nx] : *at) +
                         (y + 1 < ny ? at[nx] : *at) + (x > 0 ? at[-1] : *at) + (x + 1 < nx ? at[1] : *at) - 6.0f * *at;
      next[static_cast<std::size_t>(i)] = *at + rate * flow;
    }
    std::swap(now, next);
  }
  return example::report("3-D diffusion", old.read(), now);
}
