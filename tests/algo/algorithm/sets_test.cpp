// Sorted ranges as multisets, against the standard library.
#include "tests/algo/algorithm/support.h"

#include <algorithm>
#include <functional>
#include <iterator>

using namespace tessera::support;
namespace views = ts::views;

// clang-format off
TS_DEVICE(
struct item {
  int key, number;
};
struct by_key {
  bool operator()(item a, item b) const { return a.key < b.key; }
};)
// clang-format on

namespace {
  using ints = std::vector<int>;

  struct ranges {
    ints x, y;
  };

  /// Sorted ranges with repetitions, without any, all equal, apart, and empty ones.
  std::vector<ranges> ranges_of(std::int64_t n) {
    const auto drawn = [](std::int64_t count, std::int64_t below, std::uint64_t seed) {
      ints a = numbers_below(count, below, seed);
      std::sort(a.begin(), a.end());
      return a;
    };
    ints high = drawn(n, 10, 4);
    for (int& v : high) v += 100;
    return {{drawn(n, 12, 1), drawn(n / 2 + 1, 15, 2)},
            {drawn(n, 100'000, 3), drawn(2 * n, 100'000, 5)},
            {ints(static_cast<std::size_t>(n), 3), ints(static_cast<std::size_t>(n / 3), 3)},
            {drawn(n, 10, 6), high},
            {drawn(n, 10, 7), {}},
            {{}, drawn(n, 10, 8)}};
  }

  template <class Body>
  void for_each_ranges(Body body) {
    for (const std::string& devices : selected<std::string>({"cpu", "cpu*3"}, {"cpu", "cpu*3", "cpu*7"})) {
      ts::options settings = calm(devices);
      settings.small = 0;
      ts::context ctx(settings);
      for (const std::int64_t n : {0, 1, 7, 500, 4097}) {
        CAPTURE(devices);
        CAPTURE(n);
        int which = 0;
        for (const ranges& r : ranges_of(n)) {
          CAPTURE(which++);
          body(ctx, r.x, r.y);
        }
      }
    }
  }

}  // namespace

TEST_CASE("set_intersection and set_difference count elements that are equal") {
  for_each_ranges([](ts::context& ctx, const ints& a, const ints& b) {
    const ts::vector<int> x(a, ctx), y(b, ctx);
    ints common, rest;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest));
    CHECK(ts::set_intersection(x, y).to_host() == common);
    CHECK(ts::set_difference(x, y, ts::less()).to_host() == rest);
    ts::vector<int> out(x.size(), 0, ctx);
    ts::vector<double> wide(x.size(), 0, ctx);
    const auto end = ts::set_intersection(x.begin(), x.end(), y.begin(), y.end(), out.begin());
    CHECK(out.part(0, end - out.begin()).to_host() == common);
    CHECK(ts::set_difference(x, y, wide) == std::ssize(rest));
    CHECK(wide.part(0, std::ssize(rest)).to_host() == std::vector<double>(rest.begin(), rest.end()));

    const auto more = ts::host([](int u, int v) { return u > v; });
    const auto text = TS_FN([](int u, int v) { return u > v; });
    std::reverse(common.begin(), common.end());
    CHECK(ts::set_intersection(views::reverse(x), views::reverse(y), more).size() == std::ssize(common));
    CHECK(ts::set_intersection(views::reverse(x), views::reverse(y), text).to_host() == common);
    CHECK(ts::set_intersection(views::reverse(x), views::reverse(y), std::greater<>()).to_host() == common);
    CHECK(ts::set_difference(views::reverse(x), views::reverse(y), [](auto u, auto v) { return u > v; }).size() ==
          std::ssize(rest));
  });
}

TEST_CASE("set_union and set_symmetric_difference put elements of both ranges in order") {
  for_each_ranges([](ts::context& ctx, const ints& a, const ints& b) {
    const ts::vector<int> x(a, ctx), y(b, ctx);
    ints all, apart;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(apart));
    CHECK(ts::set_union(x, y).to_host() == all);
    CHECK(ts::set_symmetric_difference(x, y).to_host() == apart);
    ts::vector<long long> out(x.size() + y.size(), 0, ctx);
    const auto end = ts::set_union(x.begin(), x.end(), y.begin(), y.end(), out.begin());
    CHECK(end - out.begin() == std::ssize(all));
    CHECK(out.part(0, std::ssize(all)).to_host() == std::vector<long long>(all.begin(), all.end()));
    CHECK(ts::set_symmetric_difference(x, y, out, ts::host([](int u, int v) { return u < v; })) == std::ssize(apart));
    CHECK(out.part(0, std::ssize(apart)).to_host() == std::vector<long long>(apart.begin(), apart.end()));
    std::reverse(all.begin(), all.end());
    CHECK(ts::set_union(views::reverse(x), views::reverse(y), std::greater<>()).to_host() == all);
  });
}

TEST_CASE("a union takes equal elements from its first range, and refuses outputs that are too small") {
  ts::context ctx(quiet("cpu*3"));
  const ts::vector<item> x({{1, 10}, {2, 20}, {2, 21}}, ctx), y({{0, 0}, {2, -1}, {2, -2}, {2, -3}, {5, -4}}, ctx);
  std::vector<int> numbers;
  for (const item& each : ts::set_union(x, y, by_key()).to_host()) numbers.push_back(each.number);
  CHECK(numbers == ints{0, 10, 20, 21, -3, -4});
  const ts::vector<int> a({1, 2}, ctx), b({2, 3}, ctx);
  ts::vector<int> out(2, 0, ctx);
  CHECK_THROWS_WITH_AS(ts::set_union(a, b, out),
                       doctest::Contains("set_union: 3 elements are kept, but the output has 2"), ts::argument_error);
}

TEST_CASE("set operations keep the elements, and the values, of their first range") {
  for_each_ranges([](ts::context& ctx, const ints& a, const ints& b) {
    std::vector<item> first, second, expected;
    ints numbers;
    for (const int v : a) {
      numbers.push_back(static_cast<int>(first.size()));
      first.push_back({v, numbers.back()});
    }
    for (const int v : b) second.push_back({v, -1});
    const auto less = [](const item& p, const item& q) { return p.key < q.key; };
    const auto same = [](const item& p, const item& q) { return p.key == q.key && p.number == q.number; };
    const ts::vector<item> x(first, ctx), y(second, ctx);
    std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(expected), less);
    std::vector<item> got = ts::set_intersection(x, y, by_key()).to_host();
    CHECK(std::equal(got.begin(), got.end(), expected.begin(), expected.end(), same));
    expected.clear();
    std::set_difference(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(expected), less);
    got = ts::set_difference(x, y, by_key()).to_host();
    CHECK(std::equal(got.begin(), got.end(), expected.begin(), expected.end(), same));
    const auto [keys, values] =
        ts::set_difference_by_key(ts::vector<int>(a, ctx), ts::vector<int>(b, ctx), ts::vector<int>(numbers, ctx));
    ints places;
    for (const item& each : expected) places.push_back(each.number);
    CHECK(values.to_host() == places);
    CHECK(keys.size() == std::ssize(places));
    CHECK(ts::set_intersection_by_key(ts::vector<int>(a, ctx), ts::vector<int>(b, ctx), ts::vector<int>(numbers, ctx))
              .second.size() == x.size() - std::ssize(places));
  });
}

TEST_CASE("set operations on ranks give every rank the same") {
  const ranges r = ranges_of(20'000)[0];
  ints expected;
  std::set_difference(r.x.begin(), r.x.end(), r.y.begin(), r.y.end(), std::back_inserter(expected));
  for (const int ranks : {2, 3})
    for (const std::string& e : errors_on_ranks(
             ranks, [](int) { return calm("cpu*2"); },
             [&](ts::context& ctx) {
               require(ts::set_difference(ts::vector<int>(r.x, ctx), ts::vector<int>(r.y, ctx)).to_host() == expected,
                       "a rank has other elements");
             }))
      FAIL_CHECK(e);
}

TEST_CASE("a set operation moves only what lies between the elements of a device") {
  ts::context ctx(calm("cpu*4"));
  const std::int64_t n = 1 << 18;
  ints a = numbers_below(n, 1 << 20, 1), b = numbers_below(n, 1 << 20, 2);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  ts::vector<int> x(a, ctx), y(b, ctx);
  x.update_device(), y.update_device();
  movement both(ctx);
  const ts::vector<int> common = ts::set_intersection(x, y);
  // Parts of both ranges begin near each other: a few elements, where devices meet, and flags and keys.
  CHECK(both.moved().device_to_device_bytes < 4 * n / 20);
  ints expected;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
  CHECK(common.to_host() == expected);
}

TEST_CASE("equal elements that lie on several devices have partners of their own") {
  ts::options settings = calm("cpu*4");
  settings.small = 0;
  ts::context ctx(settings);
  const std::int64_t n = 40000;
  for (const std::int64_t others : {1, 9999, 10000, 10001, 25000, 39999, 40000, 50000}) {
    CAPTURE(others);
    const ints a(static_cast<std::size_t>(n), 5), b(static_cast<std::size_t>(others), 5);
    const ts::vector<int> x(a, ctx), y(b, ctx);
    CHECK(ts::set_intersection(x, y).size() == std::min(n, others));
    CHECK(ts::set_difference(x, y).size() == std::max<std::int64_t>(0, n - others));
    CHECK(ts::set_union(x, y).size() == std::max(n, others));
  }
}

TEST_CASE("ranges in uneven parts, apart from each other, and larger than the other are searched in parts") {
  ts::options settings = calm("cpu*3");
  settings.small = 0;
  ts::context ctx(settings);
  for (const std::int64_t n : {20000, 50001})
    for (const ranges& r : ranges_of(n)) {
      const std::int64_t fifth = std::ssize(r.x) / 5;
      const ts::vector<int> x = ts::from_parts(r.x, {fifth, 0, std::ssize(r.x) - fifth}, ctx);
      const ts::vector<int> y(r.y, ctx);
      ints rest, common;
      std::set_difference(r.x.begin(), r.x.end(), r.y.begin(), r.y.end(), std::back_inserter(rest));
      std::set_intersection(r.x.begin(), r.x.end(), r.y.begin(), r.y.end(), std::back_inserter(common));
      CHECK(ts::set_difference(x, y).to_host() == rest);
      CHECK(ts::set_intersection(x, y).to_host() == common);
    }
}
