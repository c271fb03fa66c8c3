// Searches in sorted ranges, against the standard library.
#include "tests/algo/algorithm/support.h"

#include <algorithm>
#include <functional>

using namespace tessera::support;
namespace views = ts::views;

TS_DEVICE(
    struct ranked_item {
  double rank;
  long long name, kind;
    };
    struct by_rank {
      bool operator()(ranked_item x, ranked_item y) const { return x.rank < y.rank;
}
}
;
struct below_rank {
  bool operator()(ranked_item x, double rank) const { return x.rank < rank; }
};)

namespace {
  using ints = std::vector<int>;
  using places = std::vector<std::int64_t>;

  struct wanted_places {
    places lower, upper;
    std::vector<bool> found;
  };
  template <class T, class Before = std::less<>>
  wanted_places searched(const std::vector<T>& sorted, const std::vector<T>& queries, Before before = {}) {
    wanted_places all;
    for (const T& q : queries) {
      all.lower.push_back(std::lower_bound(sorted.begin(), sorted.end(), q, before) - sorted.begin());
      all.upper.push_back(std::upper_bound(sorted.begin(), sorted.end(), q, before) - sorted.begin());
      all.found.push_back(std::binary_search(sorted.begin(), sorted.end(), q, before));
    }
    return all;
  }

  ints sorted_below(std::int64_t n, std::int64_t below) {
    ints all = numbers_below(n, below);
    std::sort(all.begin(), all.end());
    return all;
  }

  /// Few queries in a large range, which are routed, and the other way round; with many equal elements and with few.
  template <class Body>
  void for_each_size(Body body) {
    for_each_context([&](ts::context& ctx) {
      for (const auto& sizes : std::vector<std::pair<std::int64_t, std::int64_t>>{
               {0, 5}, {1, 1}, {3, 2}, {7, 3000}, {5000, 0}, {5000, 1}, {5000, 600}, {20'000, 1500}})
        for (const std::int64_t below : {5, 1 << 20}) {
          const std::int64_t n = sizes.first, q = sizes.second;
          CAPTURE(n);
          CAPTURE(q);
          CAPTURE(below);
          body(ctx, n, q, below);
        }
    });
  }

}  // namespace

TEST_CASE("bounds of any queries in any sorted range") {
  for_each_size([](ts::context& ctx, std::int64_t n, std::int64_t q, std::int64_t below) {
    const ints a = sorted_below(n, below), b = numbers_below(q, below + 1, 3);
    const ts::vector<int> sorted(a, ctx), queries(b, ctx);
    const wanted_places wanted = searched(a, b);
    CHECK(ts::lower_bound(sorted, queries).to_host() == wanted.lower);
    CHECK(ts::upper_bound(sorted.begin(), sorted.end(), queries.begin(), queries.end()).to_host() == wanted.upper);
    CHECK(ts::binary_search(sorted, queries).to_host() == wanted.found);
    ts::vector<int> out(q, -1, ctx), other(q, -1, ctx);
    ts::lower_bound(sorted.begin(), sorted.end(), queries.begin(), queries.end(), out.begin());
    CHECK(out.to_host() == ints(wanted.lower.begin(), wanted.lower.end()));
    ts::equal_range(sorted, queries, out, other);
    CHECK(out.to_host() == ints(wanted.lower.begin(), wanted.lower.end()));
    CHECK(other.to_host() == ints(wanted.upper.begin(), wanted.upper.end()));
    ts::binary_search(sorted, queries, out);
    CHECK(out.to_host() == ints(wanted.found.begin(), wanted.found.end()));
  });
}

TEST_CASE("sorted ranges and queries are views, also in descending order") {
  for_each_size([](ts::context& ctx, std::int64_t n, std::int64_t q, std::int64_t below) {
    ints a = sorted_below(n, below), b;
    for (int k = 0; k < q; ++k) b.push_back(k - 2);
    const ts::vector<int> sorted(a, ctx);
    const auto queries = views::counting(-2, static_cast<int>(q) - 2);
    CHECK(ts::upper_bound(sorted, queries).to_host() == searched(a, b).upper);
    std::reverse(a.begin(), a.end());
    const wanted_places down = searched(a, b, std::greater<>());
    CHECK(ts::lower_bound(views::reverse(sorted), queries, ts::greater()).to_host() == down.lower);
    CHECK(ts::binary_search(views::reverse(sorted), queries, [](auto u, auto v) { return u > v; }).to_host() ==
          down.found);
    const auto [first, last] = ts::equal_range(views::reverse(sorted), queries, ts::greater());
    CHECK(first.to_host() == down.lower);
    CHECK(last.to_host() == down.upper);
  });
}

TEST_CASE("one value is searched for with a place or an iterator as the answer") {
  for_each_context([](ts::context& ctx) {
    for (const std::int64_t n : {0, 1, 7, 6000}) {
      const ints a = sorted_below(n, 1000);
      const ts::vector<int> sorted(a, ctx);
      for (const int value : {-1, 0, 500, n > 0 ? a[static_cast<std::size_t>(n / 2)] : 3, 2000}) {
        const wanted_places wanted = searched(a, {value});
        CHECK(ts::lower_bound(sorted, value) == wanted.lower[0]);
        CHECK(ts::upper_bound(sorted.begin(), sorted.end(), value) - sorted.begin() == wanted.upper[0]);
        CHECK(ts::binary_search(sorted.begin(), sorted.end(), value) == wanted.found[0]);
        CHECK(ts::equal_range(sorted, value) == std::pair(wanted.lower[0], wanted.upper[0]));
        CHECK(ts::equal_range(sorted.begin(), sorted.end(), value).second - sorted.begin() == wanted.upper[0]);
      }
    }
  });
}

TEST_CASE("structs are searched by a comparator, by queries of another type, and by a function of the host") {
  for_each_context(
      [](ts::context& ctx) {
        for (const std::int64_t n : {1, 3000}) {
          std::vector<ranked_item> a, b;
          std::vector<double> ranks;
          for (const int v : sorted_below(n, 2000)) a.push_back({v / 4.0, v, 1});
          for (const int v : numbers_below(200, 2000, 3)) b.push_back({v / 4.0, v, 2}), ranks.push_back(v / 4.0);
          const ts::vector<ranked_item> sorted(a, ctx), queries(b, ctx);
          const wanted_places wanted = searched(a, b, by_rank());
          CHECK(ts::lower_bound(sorted, queries, by_rank()).to_host() == wanted.lower);
          CHECK(ts::upper_bound(sorted, queries, by_rank()).to_host() == wanted.upper);
          CHECK(ts::binary_search(sorted, queries, by_rank()).to_host() == wanted.found);
          const auto on_host = ts::host([](ranked_item x, ranked_item y) { return x.rank < y.rank; });
          CHECK(ts::upper_bound(sorted, queries, on_host).to_host() == wanted.upper);
          CHECK(ts::binary_search(sorted, queries, on_host).to_host() == wanted.found);
          CHECK(ts::lower_bound(sorted, ts::vector<double>(ranks, ctx), below_rank()).to_host() == wanted.lower);
        }
      },
      256 << 10);
}

TEST_CASE("searches are the same on ranks") {
  const ints a = sorted_below(9000, 4000), b = numbers_below(700, 4001, 3), many = numbers_below(9000, 4001, 5);
  const wanted_places wanted = searched(a, b), wanted_many = searched(a, many);
  for (const int ranks : {2, 3})
    on_ranks(ranks, ranks == 2 ? "cpu*3" : "cpu", [&](ts::context& ctx) {
      const ts::vector<int> sorted(a, ctx);
      require(ts::lower_bound(sorted, ts::vector<int>(b, ctx)).to_host() == wanted.lower, "lower bounds of a few");
      require(ts::upper_bound(sorted, ts::vector<int>(many, ctx)).to_host() == wanted_many.upper, "upper bounds");
    });
}

TEST_CASE("the side with fewer bytes moves: queries to parts of the range, or the range to all") {
  ts::context ctx(calm("cpu*3"));
  const std::int64_t n = 3 << 18, q = 3 << 14;
  const ts::vector<int> sorted(sorted_below(n, 1 << 20), ctx), queries(numbers_below(q, 1 << 20, 3), ctx);
  ts::vector<std::int64_t> out(q, 0, ctx);
  ts::lower_bound(sorted, queries, out);
  movement routed(ctx);
  ts::lower_bound(sorted, queries, out);
  CHECK(routed.moved().device_to_device_bytes <= q * (4 + 8));
  ts::vector<std::int64_t> many(n, 0, ctx);
  const auto few = sorted.part(0, 3 * 4096);
  ts::lower_bound(few, sorted, many);
  ts::fill(sorted.part(0, 1), 0);
  movement read(ctx);
  ts::lower_bound(few, sorted, many);
  CHECK(read.moved().device_to_device_bytes <= 2 * 3 * 4096 * 4);
}

TEST_CASE("a range that is not sorted is named where programs are checked") {
  ts::options settings = cut_everywhere("cpu*3");
  settings.check = ts::parse_checks("guards");
  ts::context ctx(settings);
  const ts::vector<int> a({1, 2, 5, 4, 4, 3}, ctx), queries(2, 4, ctx);
  CHECK_THROWS_WITH_AS(static_cast<void>(ts::lower_bound(a, queries)),
                       doctest::Contains("search: the range is not sorted: element 3 comes before element 2"),
                       ts::argument_error);
  CHECK(ts::upper_bound(a.part(0, 3), queries).to_host() == places{2, 2});
  CHECK_THROWS_WITH_AS(ts::lower_bound(a, queries, a.part(0, 3)), doctest::Contains("an output of 3 elements for 2"),
                       ts::argument_error);
}
