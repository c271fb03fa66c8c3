// Skeletons on one CPU device with all cores, against loops written by hand with their best flags on as many threads.
#include <tessera/algo.h>

#include <cmath>
#include <stdexcept>
#include <thread>
#include <vector>

#include "benchmarks/algo/algo_benchmarks.h"
#include "benchmarks/frame/inputs.h"
#include "benchmarks/frame/rival_kernel.h"

namespace tessera::bench {
namespace {

constexpr long rival_chunk = 65536;

context one_device() {
  options chosen;
  chosen.devices = "cpu";
  return context(chosen);
}

rival_kernel rival(const std::string& name) {
  return {source_path("benchmarks/algo/rivals/" + name + "_rival.cpp"), rival_flags::best, {}};
}

void require_close(float ours, float theirs, const char* row) {
  if (!(std::abs(ours - theirs) <= 1e-3f * std::abs(theirs))) throw std::runtime_error(std::string(row) + " differs");
}

/// What all rows have: a context, a team, vectors of n numbers on both sides.
struct arena {
  explicit arena(std::int64_t size) : n(size), x(contents({{size}}, 1)), y(contents({{size}}, 2)) {}
  long n;
  context ctx = one_device();
  thread_team team{static_cast<int>(std::thread::hardware_concurrency())};
  std::vector<float> x, y;
  float *px = x.data(), *py = y.data();
  vector<float> ours_x{x, ctx}, ours_y{y, ctx};
};

void measure_map(session& s) {
  arena a(s.quick() ? 1'000'000 : 30'000'000);
  std::vector<float> z = contents({{a.n}}, 3), out(z.size());
  vector<float> ours_z(z, a.ctx), ours_out(a.n, a.ctx);
  float factor = 1.5f, *pz = z.data(), *pout = out.data();
  const rival_kernel loop = rival("map3");
  const auto theirs = [&] { loop.run(a.team, a.n, {&factor, &a.px, &a.py, &pz, &pout}); };
  const auto ours = [&] {
    map([factor](auto u, auto v, auto w) { return factor * u + v * w; }).into(ours_out, a.ours_x, a.ours_y, ours_z);
    a.ctx.wait();
  };
  ours();
  theirs();
  require_close(ours_out[a.n / 2], out[out.size() / 2], "algo.map");
  s.add_times("algo.map", compare([&] { return seconds_of(ours); }, [&] { return seconds_of(theirs); }, s.scaled({})),
              "threaded loop", 1e3, "ms", 0.95);
}

void measure_dot(session& s) {
  arena a(s.quick() ? 1'000'000 : 50'000'000);
  std::vector<float> sums(static_cast<std::size_t>(a.n / rival_chunk + 1));
  float* psums = sums.data();
  const rival_kernel loop = rival("dot");
  float their_sum = 0, our_sum = 0;
  const auto theirs = [&] {
    const long chunks = (a.n + rival_chunk - 1) / rival_chunk;
    loop.run(a.team, chunks, {&a.px, &a.py, &psums, &a.n});
    their_sum = 0;
    for (long k = 0; k < chunks; ++k) their_sum += sums[static_cast<std::size_t>(k)];
  };
  const auto ours = [&] { our_sum = map_reduce(multiplies(), plus())(a.ours_x, a.ours_y).get(); };
  ours();
  theirs();
  require_close(our_sum, their_sum, "algo.map_reduce");
  s.add_times("algo.map_reduce",
              compare([&] { return seconds_of(ours); }, [&] { return seconds_of(theirs); }, s.scaled({})),
              "threaded loop", 1e3, "ms", 1.0);
}

void measure_scan(session& s) {
  arena a(s.quick() ? 1'000'000 : 30'000'000);
  std::vector<float> out(a.x.size()), sums(static_cast<std::size_t>(a.n / rival_chunk + 1));
  float *pout = out.data(), *psums = sums.data();
  vector<float> ours_out(a.n, a.ctx);
  const rival_kernel loop = rival("scan");
  const auto theirs = [&] {
    const long chunks = (a.n + rival_chunk - 1) / rival_chunk;
    long pass = 0;
    loop.run(a.team, chunks, {&a.px, &pout, &psums, &a.n, &pass});
    for (long k = 1; k < chunks; ++k) sums[static_cast<std::size_t>(k)] += sums[static_cast<std::size_t>(k - 1)];
    pass = 1;
    loop.run(a.team, chunks, {&a.px, &pout, &psums, &a.n, &pass});
  };
  const auto ours = [&] {
    inclusive_scan_into(ours_out, a.ours_x);
    a.ctx.wait();
  };
  ours();
  theirs();
  require_close(ours_out[a.n - 1], out.back(), "algo.inclusive_scan");
  s.add_times("algo.inclusive_scan",
              compare([&] { return seconds_of(ours); }, [&] { return seconds_of(theirs); }, s.scaled({})),
              "threaded loop, two passes", 1e3, "ms", 1.0);
}

/// What a call of a skeleton costs the calling thread beyond the launch of a kernel by hand.
void measure_call(session& s) {
  arena a(1000);
  vector<float> out(a.n, a.ctx);
  const kernel by_hand = a.ctx.compile(R"(
//@tessera global i => read x[i], y[i], write out[i]
__global__ void axpy(long long n, float a, const float* x, const float* y, float* out) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
})",
                                       "axpy");
  array<float> x = a.ctx.from<float>({a.n}, a.x), y = a.ctx.from<float>({a.n}, a.y), z = a.ctx.zeros<float>({a.n});
  constexpr int calls = 200;
  float factor = 1;
  const auto ours = [&] {
    const double seconds = seconds_of([&] {
      for (int k = 0; k < calls; ++k)
        map([factor](auto u, auto v) { return factor * u + v; }).into(out, a.ours_x, a.ours_y);
    });
    a.ctx.wait();
    return seconds;
  };
  const auto theirs = [&] {
    const double seconds = seconds_of([&] {
      for (int k = 0; k < calls; ++k) by_hand.launch({.threads = {a.n}}, a.n, factor, x, y, z);
    });
    a.ctx.wait();
    return seconds;
  };
  ours();
  theirs();
  s.add_times("algo.skeleton_call", compare(ours, theirs, s.scaled({.pairs = 25})), "launch of a kernel by hand",
              1e6 / calls, "us", std::nullopt);
}

}  // namespace

std::vector<benchmark> skeleton_benchmarks() {
  return {{"algo.map", measure_map},
          {"algo.map_reduce", measure_dot},
          {"algo.inclusive_scan", measure_scan},
          {"algo.skeleton_call", measure_call}};
}

}  // namespace tessera::bench
