// An array of structures, and a structure passed by value. Program and kernel include the same header.
#include "10_particle.h"

#include <tessera/tessera.h>

#include "check.h"

namespace ts = tessera;

int main() {
  const std::int64_t n = 100'000;
  const int steps = 20;
  const world w{9.81f, 0.0f, 0.01f};
  const std::vector<float> random = example::numbers(n * 4);
  std::vector<particle> particles;
  for (std::size_t i = 0; i < random.size(); i += 4)
    particles.push_back({random[i], random[i + 1], random[i + 2], random[i + 3], -random[i], 0, 0});

  ts::context ctx;
  // Not fused: the same bits as the plain loop below, on GPUs too.
  ts::kernel move = ctx.load_kernel("10_struct_array.cu", {.fused = false});
  auto array = ctx.from<particle>({n}, particles);
  for (int step = 0; step < steps; ++step) move.launch({.threads = {n}, .block = {128}}, n, array, w);

  for (int step = 0; step < steps; ++step)
    for (particle& p : particles) {
      p.vz -= w.gravity * w.time_step;
      p.x += p.vx * w.time_step;
      p.y += p.vy * w.time_step;
      p.z += p.vz * w.time_step;
      if (p.z < w.floor && p.vz < 0) p.vz = -p.vz, p.bounces += 1;
    }
  return example::report("bouncing particles", array.read(), particles);
}
