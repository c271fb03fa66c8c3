// What operations cost the calling thread: recorded ones, ones on host values, and the way from recorded ones to
// launches.
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/nd/arena.h"
#include "benchmarks/nd/nd_benchmarks.h"

namespace tessera::bench {
namespace {

/// The program whose row it is: "nd" or "nd_gpu".
using prefix = const std::string&;

/// A rival that takes so many seconds.
timed_run limit(double seconds) {
  return [=] { return seconds; };
}

void measure_recording(session& s, prefix part) {
  const arena a(s.devices());
  const nd::array x = nd::ones<double>({1 << 20}, {.ctx = a.ctx});
  nd::eval({x});
  constexpr int count = 100;
  std::vector<nd::array> made(count);
  const timed_run ours = [&] {
    const double seconds = seconds_of([&] {
      for (nd::array& each : made) each = x * x;
    });
    for (nd::array& each : made) each = nd::array();
    return seconds;
  };
  s.add_times(part + ".record", compare(ours, limit(0.15e-6 * count), s.scaled({.seconds = 0.2})), "limit of 0.15 us",
              1e6 / count, "us", 1);
}

void measure_small(session& s) {
  const arena a(s.devices());
  const nd::array x = nd::arange(0.0, 5.0, 1.0, {.ctx = a.ctx});
  constexpr int count = 1000;
  const timed_run ours = [&] {
    return seconds_of([&] {
      for (int k = 0; k < count; ++k) static_cast<void>(x + 1.0);
    });
  };
  if ((x + 1.0).read<double>() != std::vector<double>{1, 2, 3, 4, 5}) throw std::runtime_error("nd.small_add is wrong");
  s.add_times("nd.small_add", compare(ours, limit(0.15e-6 * count), s.scaled({.seconds = 0.2})), "limit of 0.15 us",
              1e6 / count, "us", 1);
}

/// A chain of `nodes` operations that is one launch, against the same launch by hand and a limit for the way there.
void measure_flush(session& s, prefix part, int nodes, std::optional<double> target) {
  arena a(s.devices());
  constexpr std::int64_t n = 5000;
  constexpr int rounds = 50;
  const nd::array x = nd::full({n}, 1.5, {.ctx = a.ctx});
  nd::eval({x});
  const auto chain = [&] {
    nd::array y = x;
    for (int k = 0; k < nodes; ++k) y = k % 2 == 0 ? y * x : y + x;
    return y;
  };
  const kernel by_hand = a.ctx.compile(R"(
//@tessera block b, lo = 1024 * b => read x[lo : lo + 1023], write y[lo : lo + 1023]
__global__ void chain(long long n, const double* x, double* y) {
  for (int k = threadIdx.x; k < 1024; k += blockDim.x) {
    const long long i = blockIdx.x * 1024LL + k;
    if (i < n) y[i] = x[i] * x[i];
  }
})",
                                       "chain");
  const array<double> hand_x = a.ctx.zeros<double>({n});
  const timed_run ours = [&] {
    double seconds = 0;
    for (int k = 0; k < rounds; ++k) {
      const nd::array y = chain();
      seconds += seconds_of([&] { nd::eval({y}); });
    }
    a.ctx.wait();
    return seconds;
  };
  const timed_run rival = [&] {
    double seconds = (3e-6 + 0.2e-6 * nodes) * rounds;
    for (int k = 0; k < rounds; ++k) {
      array<double> y;
      seconds += seconds_of([&] {
        y = a.ctx.empty<double>({n});
        by_hand.launch({.grid = {5}, .block = {256}}, n, hand_x, y);
      });
    }
    a.ctx.wait();
    return seconds;
  };
  a.settle(ours);
  a.settle(rival);
  s.add_times(part + ".flush." + std::to_string(nodes), compare(ours, rival, s.scaled({})),
              "launch by hand + 3 us + 0.2 us a node", 1e6 / rounds, "us", target);
}

}  // namespace

std::vector<benchmark> overhead_benchmarks() {
  return {{"nd.record", [](session& s) { measure_recording(s, "nd"); }},
          {"nd.small_add", measure_small},
          {"nd.flush.1", [](session& s) { measure_flush(s, "nd", 1, 1); }},
          {"nd.flush.20", [](session& s) { measure_flush(s, "nd", 20, 1); }}};
}

std::vector<benchmark> gpu_overhead_benchmarks() {
  return {{"nd_gpu.record", [](session& s) { measure_recording(s, "nd_gpu"); }},
          {"nd_gpu.flush.1", [](session& s) { measure_flush(s, "nd_gpu", 1, {}); }},
          {"nd_gpu.flush.20", [](session& s) { measure_flush(s, "nd_gpu", 20, {}); }}};
}

}  // namespace tessera::bench
