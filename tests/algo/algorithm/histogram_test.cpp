// Histograms against plain loops.
#include "tests/algo/algorithm/support.h"

#include <algorithm>
#include <limits>

using namespace tessera::support;
namespace views = ts::views;

namespace {

using counts = std::vector<std::int64_t>;

counts counted(const std::vector<float>& a, std::int64_t bins, float lo, float hi) {
  counts all(static_cast<std::size_t>(bins));
  const double per_unit = static_cast<double>(bins) / (double{hi} - double{lo});
  for (const float v : a)
    if (v >= lo && v < hi)
      ++all[static_cast<std::size_t>(
          std::min(bins - 1, static_cast<std::int64_t>((double{v} - double{lo}) * per_unit)))];
  return all;
}

}  // namespace

TEST_CASE("histograms of even bins count what lies between their ends") {
  for_each_context(
      [](ts::context& ctx) {
        for (const std::int64_t n : {0, 1, 7, 16'383, 16'384, 40'001}) {
          std::vector<float> a;
          for (const int v : numbers_below(n, 100'000)) a.push_back(static_cast<float>(v) / 1000);
          if (n > 6)
            a[3] = std::numeric_limits<float>::quiet_NaN(), a[4] = std::numeric_limits<float>::infinity(), a[5] = 80;
          const ts::vector<float> x(a, ctx);
          for (const std::int64_t bins : {1, 10, 256, 5000}) {
            CAPTURE(n);
            CAPTURE(bins);
            CHECK(ts::histogram(x, bins, 5, 80).to_host() == counted(a, bins, 5, 80));
            CHECK(ts::histogram(x.begin(), x.end(), bins, -10, 200).to_host() == counted(a, bins, -10, 200));
          }
        }
        const auto bytes =
            views::counting(0, 100'000) | views::transform([](auto i) { return (i * 7 + i / 256) % 256; });
        const counts all = ts::histogram(bytes, 256, 0, 256).to_host();
        std::int64_t sum = 0;
        for (const std::int64_t c : all) sum += c;
        CHECK(sum == 100'000);
        CHECK(*std::max_element(all.begin(), all.end()) < 500);
      },
      1 << 18);
}

TEST_CASE("histograms by upper limits, with any order") {
  for_each_context(
      [](ts::context& ctx) {
        for (const std::int64_t n : {0, 1, 8, 20'000}) {
          const std::vector<int> a = numbers_below(n, 1000), limits{3, 100, 100, 101, 900};
          const ts::vector<int> x(a, ctx), upper(limits, ctx);
          counts expected(limits.size());
          for (const int v : a)
            for (std::size_t k = 0; k < limits.size(); ++k)
              if (v < limits[k]) {
                ++expected[k];
                break;
              }
          CHECK(ts::histogram(x, upper).to_host() == expected);
          CHECK(ts::histogram(x.begin(), x.end(), upper, [](auto u, auto v) { return u < v; }).to_host() == expected);
          const auto down = TS_FN([](int u, int v) { return u > v; });
          const ts::vector<int> falling({900, 100, -1}, ctx);
          counts above{0, 0, 0};
          for (const int v : a) ++above[v > 900 ? 0 : v > 100 ? 1 : 2];
          CHECK(ts::histogram(x, falling, down).to_host() == above);
          CHECK(ts::histogram(x, falling, ts::host([](int u, int v) { return u > v; })).to_host() == above);
          CHECK(ts::histogram(x, ts::vector<int>(0, 0, ctx)).empty());
        }
      },
      1 << 18);
}

TEST_CASE("histograms count alike on ranks and move nothing but counts") {
  const std::vector<int> a = numbers_below(3 * 32'768, 64);
  counts expected(64);
  for (const int v : a) ++expected[static_cast<std::size_t>(v)];
  for (const int ranks : {2, 3})
    for (const std::string& e : errors_on_ranks(
             ranks, [](int) { return calm("cpu*2"); },
             [&](ts::context& ctx) {
               require(ts::histogram(ts::vector<int>(a, ctx), 64, 0, 64).to_host() == expected,
                       "a rank has other counts");
             }))
      FAIL_CHECK(e);
  ts::context ctx(calm("cpu*3"));
  const ts::vector<int> x = ts::map([](auto v) { return v; })(ts::vector<int>(a, ctx));
  movement counting(ctx);
  const ts::vector<std::int64_t> made = ts::histogram(x, 64, 0, 64);
  CHECK(counting.moved().device_to_device_bytes <= 3 * 64 * 8);
  CHECK(made.to_host() == expected);
}

TEST_CASE("histograms without bins are refused") {
  ts::context ctx(quiet("cpu"));
  const ts::vector<int> x(6, 1, ctx);
  CHECK_THROWS_WITH_AS((void)ts::histogram(x, 0, 0, 5), doctest::Contains("histogram: 0 bins"), ts::argument_error);
  CHECK_THROWS_WITH_AS((void)ts::histogram(x, 4, 5, 5), doctest::Contains("the bins end before they begin"),
                       ts::argument_error);
}
