// Skeletons on one CPU device with all cores, against loops written by hand with their best flags on as many threads.
#include <tessera/algo.h>

#include <thread>
#include <vector>

#include "benchmarks/algo/algo_benchmarks.h"
#include "benchmarks/algo/programs.h"
#include "benchmarks/frame/inputs.h"
#include "benchmarks/frame/two_sides.h"

namespace tessera::bench {
namespace {

/// What all rows have: a context, a team, vectors of n numbers on both sides.
struct arena {
  explicit arena(std::int64_t size) : n(size), x(contents({{size}}, 1)), y(contents({{size}}, 2)) {}
  long n;
  context ctx = one_cpu();
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
  const rival_kernel loop = rival_loop("map3");
  const auto theirs = [&] { loop.run(a.team, a.n, {&factor, &a.px, &a.py, &pz, &pout}); };
  const auto ours = [&] {
    map_of_three(factor).into(ours_out, a.ours_x, a.ours_y, ours_z);
    a.ctx.wait();
  };
  ours();
  theirs();
  require_close(double{ours_out[a.n / 2]}, double{out[out.size() / 2]}, "algo.map");
  add_pair(s, {"algo.map", "threaded loop", 0.95}, ours, theirs);
}

void measure_dot(session& s) {
  arena a(s.quick() ? 1'000'000 : 50'000'000);
  std::vector<float> sums(static_cast<std::size_t>(a.n / rival_chunk + 1));
  float* psums = sums.data();
  const rival_kernel loop = rival_loop("dot");
  float their_sum = 0, our_sum = 0;
  const auto theirs = [&] {
    const long chunks = (a.n + rival_chunk - 1) / rival_chunk;
    loop.run(a.team, chunks, {&a.px, &a.py, &psums, &a.n});
    their_sum = 0;
    for (long k = 0; k < chunks; ++k) their_sum += sums[static_cast<std::size_t>(k)];
  };
  const auto ours = [&] { our_sum = dot(a.ours_x, a.ours_y).get(); };
  ours();
  theirs();
  require_close(double{our_sum}, double{their_sum}, "algo.map_reduce");
  add_pair(s, {"algo.map_reduce", "threaded loop", 1.0}, ours, theirs);
}

void measure_scan(session& s) {
  arena a(s.quick() ? 1'000'000 : 30'000'000);
  std::vector<float> out(a.x.size()), sums(static_cast<std::size_t>(a.n / rival_chunk + 1));
  float *pout = out.data(), *psums = sums.data();
  vector<float> ours_out(a.n, a.ctx);
  const rival_kernel loop = rival_loop("scan");
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
  require_close(double{ours_out[a.n - 1]}, double{out.back()}, "algo.inclusive_scan");
  add_pair(s, {"algo.inclusive_scan", "threaded loop, two passes", 1.0}, ours, theirs);
}

}  // namespace

std::vector<benchmark> skeleton_benchmarks() {
  return {{"algo.map", measure_map}, {"algo.map_reduce", measure_dot}, {"algo.inclusive_scan", measure_scan}};
}

}  // namespace tessera::bench
