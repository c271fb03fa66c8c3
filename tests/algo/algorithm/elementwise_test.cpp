// Algorithms that compute each element on its own, against the standard library.
#include "tests/algo/algorithm/support.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

using namespace tessera::support;
namespace views = ts::views;

TS_DEVICE(
    struct three {
  unsigned char a, b, c;
    };
    struct swapped {
      three operator()(three x) const { return {x.c, x.b, x.a};
}
}
;
struct scaled_by {
  int factor;
  int operator()(int x) const { return factor * x; }
};)

namespace {
  using ints = std::vector<int>;

  /// Calls `body(ctx, n)` for sizes around nothing, the devices and a few thread blocks.
  template <class Body>
  void for_each_size(Body body) {
    for_each_context([&](ts::context& ctx) {
      for (const std::int64_t n : {0, 1, 2, 5, 8, 4099}) {
        CAPTURE(n);
        body(ctx, n);
      }
    });
  }

}  // namespace

TEST_CASE("transform takes ranges, views and iterators and converts to the type of its output") {
  for_each_size([](ts::context& ctx, std::int64_t n) {
    const ints a = numbers_below(n, 1000), b = numbers_below(n, 50, 2);
    const ts::vector<int> x(a, ctx), y(b, ctx);
    ts::vector<int> out(n, 0, ctx);
    ints expected(a.size());
    std::transform(a.begin(), a.end(), expected.begin(), [](int v) { return 3 * v - 1; });
    ts::transform(x, out, [](auto v) { return 3 * v - 1; });
    CHECK(out.to_host() == expected);
    ts::transform(x.begin(), x.end(), out.begin(), scaled_by{7});
    std::transform(a.begin(), a.end(), expected.begin(), [](int v) { return 7 * v; });
    CHECK(out.to_host() == expected);
    ts::transform(x, y, out, std::plus<>());
    std::transform(a.begin(), a.end(), b.begin(), expected.begin(), std::plus<>());
    CHECK(out.to_host() == expected);
    ts::transform(x.begin(), x.end(), y.begin(), out.begin(), ts::minus());
    std::transform(a.begin(), a.end(), b.begin(), expected.begin(), std::minus<>());
    CHECK(out.to_host() == expected);
    ts::transform(views::reverse(x), out, ts::host([](int v) { return v / 2; }));
    std::transform(a.rbegin(), a.rend(), expected.begin(), [](int v) { return v / 2; });
    CHECK(out.to_host() == expected);
    ts::vector<double> halves(n, 0.0, ctx);
    ts::transform(x, halves, [](auto v) { return v + 1; });
    std::vector<double> more(a.begin(), a.end());
    for (double& v : more) v += 1;
    CHECK(halves.to_host() == more);
  });
}

TEST_CASE("transform_if leaves elements that its predicate does not hold for") {
  for_each_size([](ts::context& ctx, std::int64_t n) {
    const ints a = numbers_below(n, 100), s = numbers_below(n, 2, 5);
    const ts::vector<int> x(a, ctx), stencil(s, ctx);
    ts::vector<int> out(n, -1, ctx);
    ts::transform_if(
        x, out, [](auto v) { return 10 * v; }, [](auto v) { return v > 50; });
    ints expected(a.size(), -1);
    for (std::size_t k = 0; k < a.size(); ++k)
      if (a[k] > 50) expected[k] = 10 * a[k];
    CHECK(out.to_host() == expected);
    ts::transform_if(x.begin(), x.end(), stencil.begin(), out.begin(), ts::negate(), ts::identity());
    for (std::size_t k = 0; k < a.size(); ++k)
      if (s[k] != 0) expected[k] = -a[k];
    CHECK(out.to_host() == expected);
  });
}

TEST_CASE("fill, sequence, tabulate and copies write every element of a range and none outside") {
  for_each_size([](ts::context& ctx, std::int64_t n) {
    ts::vector<int> x(n, 1, ctx);
    ints expected(static_cast<std::size_t>(n), 4);
    ts::fill(x, 4);
    CHECK(x.to_host() == expected);
    ts::sequence(x, 3, 2);
    for (std::size_t k = 0; k < expected.size(); ++k) expected[k] = 3 + 2 * static_cast<int>(k);
    CHECK(x.to_host() == expected);
    ts::tabulate(x, [](auto i) { return i * i; });
    for (std::size_t k = 0; k < expected.size(); ++k) expected[k] = static_cast<int>(k * k);
    CHECK(x.to_host() == expected);
    if (n < 5) return;
    ts::fill(x.begin() + 1, x.begin() + 3, -1);
    ts::fill_n(x.begin() + 3, 1, -2);
    expected[1] = expected[2] = -1, expected[3] = -2;
    CHECK(x.to_host() == expected);
    ts::copy(x.begin() + 1, x.begin() + 3, x.end() - 2);
    ts::copy_n(x.begin() + 3, 1, x.begin());
    std::copy(expected.begin() + 1, expected.begin() + 3, expected.end() - 2);
    expected[0] = expected[3];
    CHECK(x.to_host() == expected);
    ts::vector<long long> wide(n, 0, ctx);
    ts::copy(x, wide);
    CHECK(wide.to_host() == std::vector<long long>(expected.begin(), expected.end()));
  });
}

TEST_CASE("the replace family replaces by value, by predicate and by stencil") {
  for_each_size([](ts::context& ctx, std::int64_t n) {
    ints a = numbers_below(n, 5);
    ts::vector<int> x(a, ctx), out(n, 0, ctx);
    ts::replace(x, 3, 30);
    std::replace(a.begin(), a.end(), 3, 30);
    CHECK(x.to_host() == a);
    ts::replace_if(
        x.begin(), x.end(), [](auto v) { return v < 2; }, -7);
    std::replace_if(
        a.begin(), a.end(), [](int v) { return v < 2; }, -7);
    CHECK(x.to_host() == a);
    ints copied(a.size());
    ts::replace_copy(x, out, 30, 31);
    std::replace_copy(a.begin(), a.end(), copied.begin(), 30, 31);
    CHECK(out.to_host() == copied);
    ts::replace_copy_if(
        x.begin(), x.end(), out.begin(), [](auto v) { return v == 4; }, 40);
    std::replace_copy_if(
        a.begin(), a.end(), copied.begin(), [](int v) { return v == 4; }, 40);
    CHECK(out.to_host() == copied);
    ts::replace_copy_if(
        x, views::counting(0, static_cast<int>(n)), out, [](auto i) { return i % 2 == 0; }, 0);
    for (std::size_t k = 0; k < a.size(); ++k) copied[k] = k % 2 == 0 ? 0 : a[k];
    CHECK(out.to_host() == copied);
  });
}

TEST_CASE("swap_ranges and adjacent_difference") {
  for_each_size([](ts::context& ctx, std::int64_t n) {
    ints a = numbers_below(n, 1000), b = numbers_below(n, 1000, 9);
    ts::vector<int> x(a, ctx), y(b, ctx);
    ts::swap_ranges(x, y);
    CHECK(x.to_host() == b);
    CHECK(y.to_host() == a);
    ints expected(a.size());
    ts::adjacent_difference(y, x);
    std::adjacent_difference(a.begin(), a.end(), expected.begin());
    CHECK(x.to_host() == expected);
    ts::adjacent_difference(y.begin(), y.end(), x.begin(), [](auto u, auto v) { return u + 2 * v; });
    std::adjacent_difference(a.begin(), a.end(), expected.begin(), [](int u, int v) { return u + 2 * v; });
    CHECK(x.to_host() == expected);
  });
}

TEST_CASE("elements of three bytes are transformed and replaced") {
  for_each_size([](ts::context& ctx, std::int64_t n) {
    std::vector<three> a;
    for (std::int64_t k = 0; k < n; ++k)
      a.push_back({static_cast<unsigned char>(k), 2, static_cast<unsigned char>(k / 256)});
    const ts::vector<three> x(a, ctx);
    ts::vector<three> out(n, {}, ctx);
    ts::transform(x, out, swapped());
    const std::vector<three> got = out.to_host();
    bool right = true;
    for (std::size_t k = 0; k < a.size(); ++k)
      right = right && got[k].a == a[k].c && got[k].b == 2 && got[k].c == a[k].a;
    CHECK(right);
  });
}

TEST_CASE("aligned elementwise algorithms move nothing between devices") {
  ts::context ctx(cut_everywhere("cpu*3"));
  ts::vector<int> x(30000, 1, ctx), y(30000, 2, ctx);
  ts::transform(x, y, y, ts::plus());
  ctx.wait();
  const auto before = ctx.stats();
  ts::transform(x, y, y, ts::plus());
  ts::replace(y, 4, 5);
  ts::fill(x, 3);
  ctx.wait();
  CHECK((ctx.stats() - before).device_to_device_bytes == 0);
}

TEST_CASE("ranges of other sizes, and outputs that are read at other places, are refused") {
  ts::context ctx(quiet("cpu"));
  ts::vector<int> x(6, 1, ctx), y(5, 1, ctx);
  CHECK_THROWS_WITH_AS(ts::transform(x, y, ts::negate()), doctest::Contains("an output of the shape {5}"),
                       ts::argument_error);
  CHECK_THROWS_WITH_AS(ts::transform(x, y, x, ts::plus()), doctest::Contains("ranges of 6 and 5 elements"),
                       ts::argument_error);
  CHECK_THROWS_WITH_AS(ts::adjacent_difference(x, x), doctest::Contains("the output is also"), ts::argument_error);
  CHECK_THROWS_WITH_AS(ts::copy(x.begin(), x.begin() + 4, x.begin() + 1), doctest::Contains("the output is also"),
                       ts::argument_error);
  CHECK_THROWS_AS(ts::copy(x.begin(), y.end(), y.begin()), ts::argument_error);
}

namespace {
/// What the operator of the library gives for each pair of numbers, and what that of the standard library does.
template <class Ours, class Theirs>
void check_comparison(const ts::context& ctx, const std::vector<float>& a, const std::vector<float>& b, Ours ours,
                      Theirs theirs) {
  std::vector<int> expected;
  for (std::size_t k = 0; k < a.size(); ++k) expected.push_back(theirs(a[k], b[k]) ? 1 : 0);
  ts::vector<int> out(std::ssize(a), -1, ctx);
  ts::transform(ts::vector<float>(a, ctx), ts::vector<float>(b, ctx), out, ours);
  CHECK(out.to_host() == expected);
  std::vector<int> on_host;
  for (std::size_t k = 0; k < a.size(); ++k) on_host.push_back(ours(a[k], b[k]) ? 1 : 0);
  CHECK(on_host == expected);
}
}  // namespace

TEST_CASE("comparisons of NaN give what those of C++ give") {
  const ts::context ctx(calm("cpu"));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> a, b;
  for (const float x : {nan, -1.f, 0.f, -0.f, 2.f})
    for (const float y : {nan, -1.f, 0.f, -0.f, 2.f}) a.push_back(x), b.push_back(y);
  check_comparison(ctx, a, b, ts::less(), std::less<>());
  check_comparison(ctx, a, b, ts::less_equal(), std::less_equal<>());
  check_comparison(ctx, a, b, ts::greater(), std::greater<>());
  check_comparison(ctx, a, b, ts::greater_equal(), std::greater_equal<>());
  check_comparison(ctx, a, b, ts::equal_to(), std::equal_to<>());
  check_comparison(ctx, a, b, ts::not_equal_to(), std::not_equal_to<>());
}
