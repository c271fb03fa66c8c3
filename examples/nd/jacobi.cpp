// Jacobi's method with slices. Every step is one launch: new elements inside, copies of the old ones at the border. On
// several devices each has a tile of the array, and only the rows and columns around a tile move.
#include "check.h"

namespace nd = tessera::nd;

namespace {

constexpr std::int64_t n = 150;
constexpr int steps = 40;

std::vector<float> by_a_loop() {
  constexpr auto side = static_cast<std::size_t>(n);
  std::vector<float> u(side * side), next;
  for (std::size_t j = 0; j < side; ++j) u[j] = 1;
  next = u;
  for (int k = 0; k < steps; ++k, std::swap(u, next))
    for (std::size_t i = 1; i + 1 < side; ++i)
      for (std::size_t j = 1; j + 1 < side; ++j)
        next[i * side + j] =
            0.25f * (u[(i - 1) * side + j] + u[(i + 1) * side + j] + u[i * side + j - 1] + u[i * side + j + 1]);
  return u;
}

}  // namespace

int main() {
  auto u = nd::zeros<float>({n, n}, {.split = {0, 1}});
  u(0, nd::all) = 1;
  nd::eval({u});
  tessera::context ctx = tessera::default_context();
  ctx.wait();

  const nd::graph_stats before = nd::stats();
  const tessera::statistics moved_before = ctx.stats();
  auto in = nd::_(1, -1), up = nd::_(0, -2), dn = nd::_(2, nd::end);
  for (int k = 0; k < steps; ++k) u(in, in) = 0.25f * (u(up, in) + u(dn, in) + u(in, up) + u(in, dn));
  float top = u.max().item<float>();  // the first wait of the program
  const std::vector<float> result = u.read<float>();

  const example::work done(before);
  const tessera::statistics moved = ctx.stats() - moved_before;
  int wrong = example::require(top == 1, "the border keeps its value");
  if (done.flushes == 2)  // for the maximum and for the elements
    wrong += example::require(done.launches <= steps + 2, "one launch a step, and those of the maximum");
  // Each device reads what lies around its tile once a step.
  const std::int64_t halos = steps * 4 * n * static_cast<std::int64_t>(sizeof(float) * moved.peak_bytes.size());
  if (moved.evictions == 0)
    wrong += example::require(moved.device_to_device_bytes + moved.sent_bytes <= halos + 2 * n * n * 4,
                              "only halos move, and the elements once at the end");
  return example::report("Jacobi", result, by_a_loop()) + wrong;
}
