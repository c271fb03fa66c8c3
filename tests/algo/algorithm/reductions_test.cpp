// Algorithms that make one value of a range, against the standard library.
#include "tests/algo/algorithm/support.h"

#include <algorithm>
#include <functional>
#include <numeric>

using namespace tessera::support;
namespace views = ts::views;

namespace {

using ints = std::vector<int>;

template <class Body>
void for_each_size(Body body) {
  for_each_context([&](ts::context& ctx) {
    for (const std::int64_t n : {0, 1, 2, 5, 8, 4096, 16411}) {
      CAPTURE(n);
      body(ctx, n);
    }
  });
}

template <class I>
std::int64_t place(const ints& a, I found) {
  return found - a.begin();
}

}  // namespace

TEST_CASE("reductions of views, transformed ranges and products") {
  for_each_size([](ts::context& ctx, std::int64_t n) {
    const ints a = numbers_below(n, 300), b = numbers_below(n, 300, 3);  // sums of products are integers
    const ts::vector<int> x(a, ctx), y(b, ctx);
    CHECK(ts::reduce(views::zip(x, y) | views::transform([](auto u, auto v) { return u - v; })).get() ==
          std::accumulate(a.begin(), a.end(), 0) - std::accumulate(b.begin(), b.end(), 0));
    CHECK(ts::reduce<double>(x | views::transform([](auto u) { return u + 1; })).get() ==
          static_cast<double>(std::accumulate(a.begin(), a.end(), static_cast<int>(n))));
    CHECK(ts::transform_reduce(x, [](auto u) { return u * 2; }).get() == 2 * std::accumulate(a.begin(), a.end(), 0));
    CHECK(ts::transform_reduce(x.begin(), x.end(), ts::host([](int u) { return u / 3; }), ts::maximum()).get() ==
          std::accumulate(a.begin(), a.end(), std::numeric_limits<int>::lowest(),
                          [](int u, int v) { return std::max(u, v / 3); }));
    CHECK(ts::inner_product(x, y).get() == std::inner_product(a.begin(), a.end(), b.begin(), 0));
    CHECK(ts::inner_product(x.begin(), x.end(), y.begin(), ts::maximum(), ts::minus()).get() ==
          std::inner_product(
              a.begin(), a.end(), b.begin(), std::numeric_limits<int>::lowest(),
              [](int u, int v) { return std::max(u, v); }, std::minus<>()));
  });
}

TEST_CASE("count, extremes and where they stand") {
  for_each_size([](ts::context& ctx, std::int64_t n) {
    const ints a = numbers_below(n, 37);
    const ts::vector<int> x(a, ctx);
    CHECK(ts::count(x, 3).get() == std::count(a.begin(), a.end(), 3));
    CHECK(ts::count_if(x.begin(), x.end(), [](auto v) { return v > 20; }).get() ==
          std::count_if(a.begin(), a.end(), [](int v) { return v > 20; }));
    const auto least = std::min_element(a.begin(), a.end()), most = std::max_element(a.begin(), a.end());
    if (n == 0) {
      CHECK(ts::min_element(x) == -1);
      CHECK(ts::max_element(x.begin(), x.end()) == x.end());
      return;
    }
    CHECK(ts::min_element(x) == place(a, least));
    CHECK(ts::max_element(x.begin(), x.end()) - x.begin() == place(a, most));
    CHECK(ts::minmax_element(x) == std::pair(place(a, least), place(a, most)));
    CHECK(ts::min_element(x, ts::greater()) == place(a, most));
  });
}

TEST_CASE("searches give the first place, or the size where there is none") {
  for_each_size([](ts::context& ctx, std::int64_t n) {
    const ints a = numbers_below(n, 5000);
    const ts::vector<int> x(a, ctx);
    for (const int wanted : {n > 0 ? a.back() : 0, n > 2 ? a[static_cast<std::size_t>(n / 2)] : 1, 5000}) {
      CHECK(ts::find(x, wanted) == place(a, std::find(a.begin(), a.end(), wanted)));
      CHECK(ts::find_if(x.begin(), x.end(), [wanted](auto v) { return v >= wanted; }) - x.begin() ==
            place(a, std::find_if(a.begin(), a.end(), [wanted](int v) { return v >= wanted; })));
      CHECK(ts::find_if_not(x, [wanted](auto v) { return v < wanted; }) ==
            place(a, std::find_if_not(a.begin(), a.end(), [wanted](int v) { return v < wanted; })));
      CHECK(ts::any_of(x, [wanted](auto v) { return v == wanted; }) ==
            std::any_of(a.begin(), a.end(), [wanted](int v) { return v == wanted; }));
    }
    CHECK(ts::all_of(x, [](auto v) { return v < 5000; }));
    CHECK(ts::none_of(x.begin(), x.end(), [](auto v) { return v >= 5000; }));
    CHECK(ts::all_of(x, [](auto v) { return v > 2500; }) ==
          std::all_of(a.begin(), a.end(), [](int v) { return v > 2500; }));
  });
}

TEST_CASE("ranges are compared, and asked whether they are sorted or partitioned") {
  for_each_size([](ts::context& ctx, std::int64_t n) {
    ints a = numbers_below(n, 5000);
    std::sort(a.begin(), a.end());
    const ts::vector<int> sorted(a, ctx);
    CHECK(ts::is_sorted(sorted));
    CHECK(ts::is_sorted(views::reverse(sorted), ts::greater()));
    CHECK(ts::is_partitioned(sorted, [](auto v) { return v < 1000; }));
    CHECK(ts::partition_point(sorted, [](auto v) { return v < 1000; }) ==
          place(a, std::partition_point(a.begin(), a.end(), [](int v) { return v < 1000; })));
    ts::vector<int> other(a, ctx);
    CHECK(ts::equal(sorted, other));
    CHECK(ts::mismatch(sorted, other) == n);
    if (n < 5) return;
    const std::int64_t at = n - 2;
    a[static_cast<std::size_t>(at)] = -1;
    other[at] = -1;
    CHECK_FALSE(ts::equal(sorted.begin(), sorted.end(), other.begin()));
    CHECK(ts::mismatch(sorted, other) == at);
    CHECK_FALSE(ts::is_sorted(other.begin(), other.end()));
    CHECK(ts::is_sorted_until(other) == place(a, std::is_sorted_until(a.begin(), a.end())));
    const auto low = [](auto v) { return v < 1; };
    CHECK(ts::is_partitioned(other, low) == std::is_partitioned(a.begin(), a.end(), low));
    CHECK_FALSE(ts::equal(sorted, views::counting(0, 3)));
  });
}

TEST_CASE("sums of floats have the same bits on any devices") {
  std::vector<float> a;
  for (const int v : numbers_below(100003, 1 << 20)) a.push_back(static_cast<float>(v) / 7);
  std::vector<float> sums;
  for_each_context([&](ts::context& ctx) {
    const ts::vector<float> x(a, ctx);
    sums.push_back(ts::inner_product(x, views::reverse(x)).get());
  });
  CHECK(sums == std::vector<float>(sums.size(), sums[0]));
}

TEST_CASE("reductions of nothing need an operator that says what that is") {
  ts::context ctx(quiet("cpu"));
  const ts::vector<int> none(0, 0, ctx);
  CHECK(ts::transform_reduce(none, ts::negate()).get() == 0);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(ts::transform_reduce(none, ts::negate(), [](auto a, auto b) { return a * b; })),
      doctest::Contains("of no elements has no value"), ts::argument_error);
}
