// A function with a loop over a whole container: its text is host code and device code, and the types of its parameters
// say what each argument is.
#include <tessera/algo.h>

#include <cmath>
#include <utility>
#include <vector>

#include "check.h"

namespace ts = tessera;

// clang-format off
TS_DEVICE(
struct body { float x, y, z, vx, vy, vz, m; };
inline body moved(ts::index1, body b, ts::vec<body> all, float dt) {  // index, element, whole container, uniform
  float ax = 0, ay = 0, az = 0;
  for (long j = 0; j < all.size(); ++j) {
    const body o = all[j];
    const float dx = o.x - b.x, dy = o.y - b.y, dz = o.z - b.z, r = dx * dx + dy * dy + dz * dz + 1e-6f;
    const float f = o.m / (r * sqrtf(r));
    ax += f * dx;  ay += f * dy;  az += f * dz;
  }
  return {b.x + dt * b.vx, b.y + dt * b.vy, b.z + dt * b.vz, b.vx + dt * ax, b.vy + dt * ay, b.vz + dt * az, b.m};
})
// clang-format on

int main() {
  const int n = 300, steps = 5;
  const std::vector<float> numbers = example::numbers(7 * n);
  std::vector<body> bodies;
  for (std::size_t k = 0; k + 7 <= numbers.size(); k += 7)
    bodies.push_back(
        {numbers[k], numbers[k + 1], numbers[k + 2], numbers[k + 3], numbers[k + 4], numbers[k + 5], numbers[k + 6]});
  ts::vector<body> p(bodies), q(n);
  auto step = ts::map<moved>();
  for (int t = 0; t < steps; ++t) {
    step.into(q, p, p, 0.01f);
    std::swap(p, q);
  }
  for (int t = 0; t < steps; ++t) {
    const std::vector<body> before = bodies;
    const ts::vec<body> all{before.data(), n};
    for (int i = 0; i < n; ++i)
      bodies[static_cast<std::size_t>(i)] = moved({i}, before[static_cast<std::size_t>(i)], all, 0.01f);
  }
  const bool is_rounded_once = example::has_gpus(ts::default_context());
  return example::report("n-body", p.to_host(), bodies, [=](const body& a, const body& b) {
    return is_rounded_once && std::abs(a.x - b.x) + std::abs(a.y - b.y) + std::abs(a.z - b.z) <= 1e-4f;
  });
}
