// Algorithms on one CPU device with all cores, against those of TBB and of the standard library.
#include <tessera/algo.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "benchmarks/algo/algo_benchmarks.h"
#include "benchmarks/algo/programs.h"
#include "benchmarks/algo/rivals/libraries.h"
#include "benchmarks/frame/inputs.h"
#include "benchmarks/frame/two_sides.h"

namespace tessera::bench {
namespace {

std::int64_t size_of(const session& s, int bits) { return std::int64_t{1} << (s.quick() ? 20 : bits); }

floats numbers(std::int64_t n, std::uint32_t seed) { return contents({{n}}, seed); }
floats sorted_numbers(std::int64_t n, std::uint32_t seed) {
  floats all = numbers(n, seed);
  std::sort(all.begin(), all.end());
  return all;
}
/// A permutation without a pattern.
places shuffled_places(std::int64_t n) {
  places all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  std::uint64_t state = 1;
  for (std::size_t k = all.size(); k > 1; --k) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::swap(all[k - 1], all[(state >> 33) % k]);
  }
  return all;
}

/// A row against the fastest of `theirs` in one run of each; `check` compares the results.
template <class Ours, class Check>
void add_row(session& s, const std::string& name, double target, Ours ours, const library_calls& theirs, Check check) {
  const library_call* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const library_call& each : theirs) {
    each.run();
    const double seconds = seconds_of(each.run);
    if (seconds < least) best = &each, least = seconds;
  }
  ours();
  check();
  add_pair(s, {name, best->name, target}, ours, best->run);
}
template <class T>
void require_equal_elements(const vector<T>& ours, const std::vector<T>& theirs, const std::string& row) {
  if (ours.to_host() != theirs) throw std::runtime_error(row + ": ours is not the library's result");
}

void measure_reduce(session& s) {
  const std::int64_t n = size_of(s, 27);
  const floats x = numbers(n, 1);
  const vector<float> ours_x(x, one_cpu());
  float our_sum = 0, their_sum = 0;
  add_row(
      s, "algo.reduce", 1.0, [&] { our_sum = reduce(ours_x).get(); }, library_sums(x, their_sum),
      [&] { require_close(double{our_sum}, double{their_sum}, "algo.reduce"); });
}

void measure_scan(session& s) {
  const std::int64_t n = size_of(s, 26);
  const floats x = numbers(n, 1);
  floats out(x.size());
  context ctx = one_cpu();
  const vector<float> ours_x(x, ctx);
  vector<float> ours_out(n, 0, ctx);
  const auto ours = [&] {
    inclusive_scan(ours_x, ours_out);
    ctx.wait();
  };
  add_row(s, "algo.scan", 1.0, ours, library_scans(x, out),
          [&] { require_close(double{ours_out[n - 1]}, double{out.back()}, "algo.scan"); });
}

void measure_merge(session& s) {
  const std::int64_t n = size_of(s, 25);
  const floats x = sorted_numbers(n, 1), y = sorted_numbers(n, 2);
  floats out(2 * x.size());
  context ctx = one_cpu();
  const vector<float> ours_x(x, ctx), ours_y(y, ctx);
  vector<float> ours_out(2 * n, 0, ctx);
  const auto ours = [&] {
    merge(ours_x, ours_y, ours_out);
    ctx.wait();
  };
  add_row(s, "algo.merge", 1.0, ours, library_merges(x, y, out),
          [&] { require_equal_elements(ours_out, out, "algo.merge"); });
}

void measure_gather(session& s) {
  const std::int64_t n = size_of(s, 26);
  const floats x = numbers(n, 1);
  const places from = shuffled_places(n);
  floats out(x.size());
  context ctx = one_cpu();
  const vector<float> ours_x(x, ctx);
  const vector<std::int64_t> ours_from(from, ctx);
  vector<float> ours_out(n, 0, ctx);
  const auto ours = [&] {
    gather(ours_from, ours_x, ours_out);
    ctx.wait();
  };
  add_row(s, "algo.gather", 1.0, ours, library_gathers(from, x, out),
          [&] { require_equal_elements(ours_out, out, "algo.gather"); });
}

void measure_scatter(session& s) {
  const std::int64_t n = size_of(s, 26);
  const floats x = numbers(n, 1);
  const places to = shuffled_places(n);
  floats out(x.size());
  context ctx = one_cpu();
  const vector<float> ours_x(x, ctx);
  const vector<std::int64_t> ours_to(to, ctx);
  vector<float> ours_out(n, 0, ctx);
  const auto ours = [&] {
    scatter(ours_x, ours_to, ours_out);
    ctx.wait();
  };
  add_row(s, "algo.scatter", 1.0, ours, library_scatters(x, to, out),
          [&] { require_equal_elements(ours_out, out, "algo.scatter"); });
}

void measure_histogram(session& s) {
  const std::int64_t n = size_of(s, 26);
  const floats x = numbers(n, 1);
  places bins(256);
  const vector<float> ours_x(x, one_cpu());
  vector<std::int64_t> ours_bins(0, ours_x.ctx());
  const auto ours = [&] {
    ours_bins = histogram(ours_x, 256, 0.0F, 1.0F);
    ours_x.ctx().wait();
  };
  add_row(s, "algo.histogram", 1.0, ours, library_histograms(x, bins),
          [&] { require_equal_elements(ours_bins, bins, "algo.histogram"); });
}

void measure_lower_bound(session& s) {
  const std::int64_t n = size_of(s, 24);
  const floats sorted = sorted_numbers(n, 1), queries = numbers(n, 2);
  places out(queries.size());
  context ctx = one_cpu();
  const vector<float> ours_sorted(sorted, ctx), ours_queries(queries, ctx);
  vector<std::int64_t> ours_out(n, 0, ctx);
  const auto ours = [&] {
    lower_bound(ours_sorted, ours_queries, ours_out);
    ctx.wait();
  };
  add_row(s, "algo.lower_bound", 1.0, ours, library_lower_bounds(sorted, queries, out),
          [&] { require_equal_elements(ours_out, out, "algo.lower_bound"); });
}

/// Running sums of products, of which about half are kept.
void measure_chain(session& s) {
  const std::int64_t n = size_of(s, 26);
  const floats x = numbers(n, 1), y = numbers(n, 2);
  const float limit = static_cast<float>(n) / 8;
  floats kept;
  context ctx = one_cpu();
  const vector<float> ours_x(x, ctx), ours_y(y, ctx);
  vector<float> sums(n, 0, ctx), ours_kept(n, 0, ctx);
  std::int64_t count = 0;
  const auto ours = [&] {
    inclusive_scan(views::zip(ours_x, ours_y) | views::transform([](auto u, auto v) { return u * v; }), sums);
    count = copy_if(sums, ours_kept, [limit](auto v) { return v < limit; });
    ctx.wait();
  };
  add_row(s, "algo.chain", 1.5, ours, library_chains(x, y, limit, kept), [&] {
    require_close(static_cast<double>(count), static_cast<double>(kept.size()), "algo.chain");
    require_close(double{ours_kept[count / 2]}, double{kept[kept.size() / 2]}, "algo.chain");
  });
}

}  // namespace

std::vector<benchmark> algorithm_benchmarks() {
  return {{"algo.reduce", measure_reduce},
          {"algo.scan", measure_scan},
          {"algo.merge", measure_merge},
          {"algo.gather", measure_gather},
          {"algo.scatter", measure_scatter},
          {"algo.histogram", measure_histogram},
          {"algo.lower_bound", measure_lower_bound},
          {"algo.chain", measure_chain}};
}

}  // namespace tessera::bench
