// What a call of a skeleton costs the calling thread, recording its lambda anew each time.
#include <tessera/algo.h>

#include <algorithm>
#include <vector>

#include "benchmarks/algo/algo_benchmarks.h"
#include "benchmarks/frame/inputs.h"

namespace tessera::bench {
namespace {

/// What a call of a skeleton costs the calling thread beyond the launch of a kernel by hand.
comparison compared_calls(const session& s, int calls) {
  constexpr std::int64_t n = 1000;
  options chosen;
  chosen.devices = s.devices();
  context ctx(chosen);
  const std::vector<float> values = contents({{n}}, 1);
  const vector<float> our_x(values, ctx), our_y(values, ctx), out(n, ctx);
  const kernel by_hand = ctx.compile(R"(
//@tessera global i => read x[i], y[i], write out[i]
__global__ void axpy(long long n, float a, const float* x, const float* y, float* out) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
})",
                                     "axpy");
  const array<float> x = ctx.from<float>({n}, values), y = ctx.from<float>({n}, values), z = ctx.zeros<float>({n});
  float factor = 1;
  const auto timed = [&](const auto& call) {
    const double seconds = seconds_of([&] {
      for (int k = 0; k < calls; ++k) call();
    });
    ctx.wait();
    return seconds;
  };
  const auto ours = [&] {
    return timed([&] { map([factor](auto u, auto v) { return factor * u + v; }).into(out, our_x, our_y); });
  };
  const auto theirs = [&] { return timed([&] { by_hand.launch({.threads = {n}}, n, factor, x, y, z); }); };
  ours();
  theirs();
  return compare(ours, theirs, s.scaled({.pairs = 25}));
}

constexpr int calls = 200;

void measure_call(session& s) {
  s.add_times("algo.skeleton_call", compared_calls(s, calls), "launch of a kernel by hand", 1e6 / calls, "us",
              std::nullopt);
}

/// Also what it costs more than the launch, against a limit.
void measure_call_on_gpu(session& s) {
  const comparison times = compared_calls(s, calls);
  s.add_times("algo_gpu.skeleton_call", times, "launch of a kernel by hand", 1e6 / calls, "us", std::nullopt);
  const double more = std::max((times.ours - times.rival) * 1e6 / calls, 0.01);
  s.add_figures("algo_gpu.skeleton_call.more", more, 1, "limit of 1 us", "us", 1);
}

}  // namespace

std::vector<benchmark> call_benchmarks() { return {{"algo.skeleton_call", measure_call}}; }
std::vector<benchmark> gpu_call_benchmarks() { return {{"algo_gpu.skeleton_call", measure_call_on_gpu}}; }

}  // namespace tessera::bench
