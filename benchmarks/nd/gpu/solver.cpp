// Conjugate gradients with slices on a GPU, against three kernels a step by hand.
#include <memory>
#include <utility>

#include "benchmarks/nd/gpu/gpu_arrays.h"
#include "benchmarks/nd/nd_benchmarks.h"
#include "benchmarks/nd/programs.h"

namespace tessera::bench {
namespace {

constexpr std::int64_t width = 4000, height = 4000;
constexpr int steps = 10;  // between two reads of the residual

void measure_solver(session& s) {
  constexpr numbers values{1};
  auto right_side = std::make_unique<by_hand::device_floats>(width * height);
  by_hand::fill(*right_side, values.seed, values.low, values.high);
  by_cuda::cg theirs(width, height, std::move(right_side));
  arena a(s.devices());
  cg_solver ours(a.ctx, made(a, {height, width}, values));
  double our_norm = 0, their_norm = 0;
  contest(
      s, a.ctx, {"nd_gpu.cg", "CUDA, three kernels a step", {}, {}, 1e3 / steps, "ms/step"}, 1,
      [&] { our_norm = ours.round(steps); }, [&] { their_norm = theirs.round(steps); },
      [&] { require_close(our_norm, their_norm, "nd_gpu.cg"); });
}

}  // namespace

std::vector<benchmark> gpu_solver_benchmarks() { return {{"nd_gpu.cg", measure_solver}}; }

}  // namespace tessera::bench
