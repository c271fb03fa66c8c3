// Reductions on one CPU device, against loops fused by hand with their best flags, whose sums have a free order.
#include <algorithm>
#include <cmath>
#include <limits>

#include "benchmarks/nd/arena.h"
#include "benchmarks/nd/nd_benchmarks.h"
#include "benchmarks/nd/programs.h"

namespace tessera::bench {
namespace {

constexpr const char* by_hand = "threaded loop, sums in any order";
constexpr long chunk = 65536;  // elements of a partial sum of the loops by hand

std::size_t chunks_of(long n) { return static_cast<std::size_t>((n + chunk - 1) / chunk); }

/// A matrix on both sides.
struct matrix {
  matrix(const cpu_arena&, long row_count, long column_count)
      : rows(row_count),
        columns(column_count),
        values(contents({{rows * columns}, -1, 2}, 1)),
        ours(nd::from<float>({rows, columns}, std::span<const float>(values))) {}
  long rows, columns;
  std::vector<float> values;
  float* data = values.data();
  nd::array ours;
};

void measure_sum(session& s) {
  cpu_arena a;
  long n = s.quick() ? 1'000'000 : 50'000'000;
  std::vector<float> x = contents({{n}}, 1), sums(chunks_of(n));
  const nd::array nx = nd::from(x);
  float *px = x.data(), *ps = sums.data();
  double our_sum = 0, their_sum = 0;
  const rival_kernel loop = rival("sum");
  const auto theirs = [&] {
    loop.run(a.team, static_cast<long>(sums.size()), {&px, &ps, &n});
    their_sum = 0;
    for (const float each : sums) their_sum += static_cast<double>(each);
  };
  const auto ours = [&] { our_sum = static_cast<double>(nd::sum(nx).item<float>()); };
  a.settle(ours);
  theirs();
  require_close(our_sum, their_sum, "nd.sum");
  add_pair(s, {"nd.sum", by_hand, 0.85}, ours, theirs);
}

/// M1: mean, standard deviation and minimum of one array.
void measure_moments(session& s) {
  cpu_arena a;
  long n = s.quick() ? 1'000'000 : 50'000'000;
  std::vector<float> x = contents({{n}}, 1), parts(3 * chunks_of(n));
  const nd::array nx = nd::from(x);
  float *px = x.data(), *pp = parts.data();
  double ours_of[3] = {}, theirs_of[3] = {};
  const rival_kernel loop = rival("moments");
  const auto theirs = [&] {
    loop.run(a.team, static_cast<long>(chunks_of(n)), {&px, &pp, &n});
    double sum = 0, squares = 0, least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < parts.size(); k += 3) {
      sum += static_cast<double>(parts[k]);
      squares += static_cast<double>(parts[k + 1]);
      least = std::min(least, static_cast<double>(parts[k + 2]));
    }
    const double count = static_cast<double>(n);
    theirs_of[0] = sum / count;
    theirs_of[1] = std::sqrt(squares / count - theirs_of[0] * theirs_of[0]);
    theirs_of[2] = least;
  };
  const auto ours = [&] {
    const nd::array m = nd::mean(nx), d = nd::std(nx), lo = nd::min(nx);
    nd::fetch({m, d, lo});
    ours_of[0] = m.item<double>(), ours_of[1] = d.item<double>(), ours_of[2] = lo.item<double>();
  };
  a.settle(ours);
  theirs();
  for (int k = 0; k < 3; ++k) require_close(ours_of[k], theirs_of[k], "nd.moments");
  add_pair(s, {"nd.moments", "threaded loop, sums of squares", 0.85}, ours, theirs);
}

void measure_row_sums(session& s) {
  cpu_arena a;
  matrix m(a, s.quick() ? 1000 : 50'000, 1000);
  std::vector<float> out(static_cast<std::size_t>(m.rows));
  float* po = out.data();
  nd::array made;
  const rival_kernel loop = rival("row_sums");
  const auto theirs = [&] { loop.run(a.team, m.rows, {&m.columns, &m.data, &po}); };
  const auto ours = [&] {
    made = nd::sum(m.ours, 1);
    nd::eval({made});
    a.ctx.wait();
  };
  a.settle(ours);
  theirs();
  require_equal(made, out, "nd.row_sums");
  add_pair(s, {"nd.row_sums", by_hand, 0.85}, ours, theirs);
}

/// Sums of columns and, for `listing`, the distances from their means: HeAT's first listing (F3).
void measure_columns(session& s, bool listing) {
  cpu_arena a;
  matrix m(a, s.quick() ? 1000 : listing ? 100'000 : 50'000, 1000);
  constexpr long rows_of_chunk = 512;
  const long chunks = (m.rows + rows_of_chunk - 1) / rows_of_chunk;
  std::vector<float> parts(static_cast<std::size_t>(chunks * m.columns)), sums(static_cast<std::size_t>(m.columns));
  std::vector<float> out(listing ? m.values.size() : 0);
  float *pp = parts.data(), *ps = sums.data(), *po = out.data();
  nd::array made;
  const rival_kernel add = rival("column_sums"), spread = rival("listing_1");
  const auto theirs = [&] {
    add.run(a.team, chunks, {&m.rows, &m.columns, &m.data, &pp});
    std::fill(sums.begin(), sums.end(), 0.0f);
    for (std::size_t k = 0; k < parts.size(); ++k) sums[k % sums.size()] += parts[k];
    if (!listing) return;
    for (float& each : sums) each /= static_cast<float>(m.rows);
    spread.run(a.team, m.rows, {&m.columns, &m.data, &ps, &po});
  };
  const auto ours = [&] {
    made = listing ? distances_from_means(m.ours) : nd::sum(m.ours, 0);
    nd::eval({made});
    a.ctx.wait();
  };
  a.settle(ours);
  theirs();
  require_equal(made, listing ? out : sums, listing ? "nd.listing_1" : "nd.column_sums");
  add_pair(s, {listing ? "nd.listing_1" : "nd.column_sums", by_hand, 0.85}, ours, theirs);
}

void measure_softmax(session& s) {
  cpu_arena a;
  matrix m(a, s.quick() ? 1000 : 20'000, 1000);
  std::vector<float> out(m.values.size());
  float* po = out.data();
  nd::array made;
  const rival_kernel loop = rival("softmax");
  const auto theirs = [&] { loop.run(a.team, m.rows, {&m.columns, &m.data, &po}); };
  const auto ours = [&] {
    made = softmax_of_rows(m.ours);
    nd::eval({made});
    a.ctx.wait();
  };
  a.settle(ours);
  theirs();
  require_equal(made, out, "nd.softmax");
  add_pair(s, {"nd.softmax", "threaded loop, a row in the cache", 0.85}, ours, theirs);
}

}  // namespace

std::vector<benchmark> reduction_benchmarks() {
  return {{"nd.sum", measure_sum},
          {"nd.row_sums", measure_row_sums},
          {"nd.column_sums", [](session& s) { measure_columns(s, false); }},
          {"nd.listing_1", [](session& s) { measure_columns(s, true); }},
          {"nd.softmax", measure_softmax},
          {"nd.moments", measure_moments}};
}

}  // namespace tessera::bench
