// Algorithms that keep some elements, on one CPU device with all cores, against loops written by hand with their best
// flags on as many threads, and the standard library's where it runs in parallel.
#include <tessera/algo.h>

#include <thread>
#include <vector>

#include "benchmarks/algo/algo_benchmarks.h"
#include "benchmarks/algo/programs.h"
#include "benchmarks/algo/rivals/standard.h"
#include "benchmarks/frame/inputs.h"
#include "benchmarks/frame/two_sides.h"

namespace tessera::bench {
namespace {

std::int64_t size_of(const session& s) { return s.quick() ? 1 << 20 : 1 << 26; }

void require_equal(std::int64_t ours, std::int64_t theirs, const std::string& row) {
  if (ours != theirs) throw std::runtime_error(cat(row, ": ours is ", ours, ", by hand it is ", theirs));
}

/// Segments of four elements on average.
std::vector<int> keys(std::int64_t n) {
  std::vector<int> made(static_cast<std::size_t>(n));
  std::uint64_t state = 1;
  int key = 0;
  for (int& k : made) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    k = key += (state >> 62) == 0 ? 1 : 0;
  }
  return made;
}

/// What loops by hand in two passes over chunks have: a team, and a count per chunk.
struct two_passes {
  explicit two_passes(std::int64_t size) : n(size), counts(static_cast<std::size_t>(chunks() + 1)) {}
  [[nodiscard]] long chunks() const { return (n + rival_chunk - 1) / rival_chunk; }
  void add_up() {
    for (std::size_t k = 1; k < counts.size(); ++k) counts[k] += counts[k - 1];
  }
  long n;
  thread_team team{static_cast<int>(std::thread::hardware_concurrency())};
  std::vector<long> counts;
  long* pcounts = counts.data();
  long pass = 0;
};

void measure_copy_if(session& s) {
  const std::int64_t n = size_of(s);
  context ctx = one_cpu();
  two_passes hand(n);
  std::vector<float> x = contents({{n}}, 1), out(x.size());
  float *px = x.data(), *pout = out.data(), limit = 0;
  for (const float v : x) limit += v / static_cast<float>(n);  // about half of them are below
  const vector<float> ours_x(x, ctx);
  vector<float> ours_out(n, 0, ctx);
  const rival_kernel loop = rival_loop("copy_if");
  std::int64_t kept = 0;
  const auto ours = [&] {
    kept = copy_if(ours_x, ours_out, [limit](auto v) { return v < limit; });
    ctx.wait();
  };
  const auto theirs = [&] {
    hand.pass = 0;
    loop.run(hand.team, hand.chunks(), {&px, &pout, &hand.pcounts, &hand.n, &hand.pass, &limit});
    hand.add_up();
    hand.pass = 1;
    loop.run(hand.team, hand.chunks(), {&px, &pout, &hand.pcounts, &hand.n, &hand.pass, &limit});
  };
  ours();
  theirs();
  require_equal(kept, hand.counts.back(), "algo.copy_if");
  require_close(double{ours_out[kept - 1]}, double{out[static_cast<std::size_t>(kept - 1)]}, "algo.copy_if");
  add_pair(s, {"algo.copy_if", "threaded loop, two passes", 1.0}, ours, theirs);
  if (standard_copy_if(x, out, limit) == kept)
    add_pair(s, {"algo.copy_if", "std::execution::par", 1.0}, ours, [&] { (void)standard_copy_if(x, out, limit); });
}

void measure_unique(session& s) {
  const std::int64_t n = size_of(s);
  context ctx = one_cpu();
  two_passes hand(n);
  std::vector<int> x = keys(n), out(x.size());
  int *px = x.data(), *pout = out.data();
  const vector<int> ours_x(x, ctx);
  vector<int> ours_out(n, 0, ctx);
  const rival_kernel loop = rival_loop("unique");
  std::int64_t kept = 0;
  const auto ours = [&] {
    kept = unique_copy(ours_x, ours_out);
    ctx.wait();
  };
  const auto theirs = [&] {
    hand.pass = 0;
    loop.run(hand.team, hand.chunks(), {&px, &pout, &hand.pcounts, &hand.n, &hand.pass});
    hand.add_up();
    hand.pass = 1;
    loop.run(hand.team, hand.chunks(), {&px, &pout, &hand.pcounts, &hand.n, &hand.pass});
  };
  ours();
  theirs();
  require_equal(kept, hand.counts.back(), "algo.unique");
  require_equal(ours_out[kept - 1], out[static_cast<std::size_t>(kept - 1)], "algo.unique");
  add_pair(s, {"algo.unique", "threaded loop, two passes", 1.0}, ours, theirs);
  if (standard_unique_copy(x, out) == kept)
    add_pair(s, {"algo.unique", "std::execution::par", 1.0}, ours, [&] { (void)standard_unique_copy(x, out); });
}

void measure_reduce_by_key(session& s) {
  const std::int64_t n = size_of(s);
  context ctx = one_cpu();
  two_passes hand(n);
  std::vector<int> k = keys(n), v(k.size(), 3), keys_out(k.size()), sums(k.size()), carries(hand.counts.size());
  int *pk = k.data(), *pv = v.data(), *pkeys = keys_out.data(), *psums = sums.data(), *pcarries = carries.data();
  const vector<int> ours_k(k, ctx), ours_v(v, ctx);
  vector<int> ours_keys(n, 0, ctx), ours_sums(n, 0, ctx);
  const rival_kernel loop = rival_loop("reduce_by_key");
  std::int64_t kept = 0;
  const auto ours = [&] {
    kept = reduce_by_key(ours_k, ours_v, ours_keys, ours_sums).first;
    ctx.wait();
  };
  const auto run = [&](long pass) {
    hand.pass = pass;
    loop.run(hand.team, hand.chunks(), {&pk, &pv, &pkeys, &psums, &hand.pcounts, &pcarries, &hand.n, &hand.pass});
  };
  const auto theirs = [&] {
    run(0);
    for (std::size_t c = 2; c < carries.size(); ++c)
      if (hand.counts[c] == 0) carries[c] += carries[c - 1];
    hand.add_up();
    run(1);
  };
  ours();
  theirs();
  require_equal(kept, hand.counts.back(), "algo.reduce_by_key");
  for (const std::int64_t at : {std::int64_t{0}, kept / 2, kept - 1})
    require_equal(ours_sums[at], sums[static_cast<std::size_t>(at)], "algo.reduce_by_key");
  add_pair(s, {"algo.reduce_by_key", "threaded loop, two passes", 1.0}, ours, theirs);
}

}  // namespace

std::vector<benchmark> compaction_benchmarks() {
  return {{"algo.copy_if", measure_copy_if},
          {"algo.unique", measure_unique},
          {"algo.reduce_by_key", measure_reduce_by_key}};
}

}  // namespace tessera::bench
