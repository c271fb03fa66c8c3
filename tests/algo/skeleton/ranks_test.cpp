#include <doctest/doctest.h>
#include <tessera/algo.h>

#include <numeric>
#include <vector>

#include "tests/algo/container/support.h"
#include "tests/array/on_ranks.h"

using namespace tessera::support;

TS_DEVICE(inline float smooth(ts::index1 i, ts::vec<float> all) {
  const long long n = all.size();
  return (all[(i + n - 1) % n] + all[i] + all[(i + 1) % n]) / 3;
})

namespace {

struct results {
  std::vector<float> mapped, scanned, rows;
  float sum = 0;
  bool operator==(const results&) const = default;
};

/// A program of several skeletons; every rank gets all of its results.
results program(ts::context& ctx) {
  const std::int64_t n = 5003;
  std::vector<float> start(static_cast<std::size_t>(n));
  for (std::size_t k = 0; k < start.size(); ++k) start[k] = static_cast<float>(k * 7919 % 1013) / 7;
  ts::vector<float> x(start, ctx), y(n, 0.0f, ctx);
  for (int step = 0; step < 3; ++step) {
    ts::map<smooth>().into(y, x);
    const float factor = 0.5f + static_cast<float>(step);
    ts::map([factor](auto u, auto v) { return factor * u + sqrt(v); }).into(x, y, x);
  }
  const ts::value<float> sum = ts::reduce(x);
  ts::vector<float> scaled = ts::map([](auto u, auto s) { return u / s; })(x, sum);
  scaled[17] = 0.25f;
  ts::matrix<float> m(101, 99, 1.5f, ctx);
  return {scaled.to_host(), ts::inclusive_scan(scaled).to_host(), ts::reduce_rows(m).to_host(), sum.get()};
}

}  // namespace

TEST_CASE("a program of skeletons has the same bits on every number of devices and ranks") {
  ts::context alone(quiet("cpu"));
  const results expected = program(alone);
  ts::context three(quiet("cpu*3"));
  CHECK(program(three) == expected);
  for (const int ranks : {2, 3, 4})
    on_ranks(ranks, ranks == 2 ? "cpu*3" : "cpu",
             [&](ts::context& ctx) { require(program(ctx) == expected, "a rank has other bits"); });
}
