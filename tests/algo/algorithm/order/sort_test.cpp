// Sorts, against the standard library.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "tests/algo/algorithm/order/orders.h"

using namespace tessera::support;

TS_DEVICE(struct entry {
  double weight;
  long long name;
  int group;
};
struct lighter {
  bool operator()(entry a, entry b) const { return a.weight < b.weight;
}
}
;
struct letters {
  unsigned char a, b, c;
};
struct by_middle {
  bool operator()(letters x, letters y) const { return x.b < y.b; }
};)

static bool operator==(const entry& a, const entry& b) {
  return a.weight == b.weight && a.name == b.name && a.group == b.group;
}
static bool operator==(const letters& a, const letters& b) { return a.a == b.a && a.b == b.b && a.c == b.c; }

namespace {

using ints = std::vector<int>;

std::vector<std::int64_t> order_of(const ints& keys, bool descending = false) {
  std::vector<std::int64_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    const int x = keys[static_cast<std::size_t>(a)], y = keys[static_cast<std::size_t>(b)];
    return descending ? y < x : x < y;
  });
  return order;
}

}  // namespace

TEST_CASE("sort puts elements of every order in order") {
  for_each_sorted_size([](ts::context& ctx, std::int64_t n) {
    for (ints a : shapes_of(n)) {
      ts::vector<int> x(a, ctx);
      ts::sort(x);
      std::sort(a.begin(), a.end());
      CHECK(x.to_host() == a);
      ts::sort(x, ts::greater());
      std::reverse(a.begin(), a.end());
      CHECK(x.to_host() == a);
    }
  });
}

TEST_CASE("sorts by key are stable, with every kind of operator") {
  for_each_sorted_size([](ts::context& ctx, std::int64_t n) {
    for (const ints& a : shapes_of(n)) {
      ints sorted = a;
      std::sort(sorted.begin(), sorted.end());
      const std::vector<std::int64_t> expected = order_of(a);
      const auto check = [&](const auto& before) {
        ts::vector<int> keys(a, ctx);
        ts::vector<std::int64_t> places(n, 0, ctx);
        ts::sequence(places);
        ts::sort_by_key(keys, places, before);
        CHECK(keys.to_host() == sorted);
        CHECK(places.to_host() == expected);
      };
      check(ts::less());
      check([](auto u, auto v) { return u < v; });
      if (n < 5000) check(TS_FN([](int u, int v) { return u < v; }));
      if (n < 200) check(ts::host([](int u, int v) { return u < v; }));
    }
  });
}

TEST_CASE("a part of a vector is sorted and the rest stays") {
  for_each_context([](ts::context& ctx) {
    ints a = numbers_below(5000, 1000);
    ts::vector<int> x(a, ctx), v(a, ctx);
    ts::sort(x.begin() + 10, x.end() - 7, std::greater<>());
    ints expected = a;
    std::stable_sort(expected.begin() + 10, expected.end() - 7, std::greater<>());
    CHECK(x.to_host() == expected);
    ts::sort(x.part(3000, 5000));
    std::sort(expected.begin() + 3000, expected.end());
    CHECK(x.to_host() == expected);
    ts::sort_by_key(x.begin() + 3, x.begin() + 2500, v.begin() + 1);
    ints order(2497), keys(expected.begin() + 3, expected.begin() + 2500), values(a.begin() + 1, a.begin() + 2498);
    std::iota(order.begin(), order.end(), 0);
    const auto at = [](const ints& all, int k) { return all[static_cast<std::size_t>(k)]; };
    std::stable_sort(order.begin(), order.end(), [&](int p, int q) { return at(keys, p) < at(keys, q); });
    for (std::size_t k = 0; k < order.size(); ++k) {
      expected[3 + k] = at(keys, order[k]);
      a[1 + k] = at(values, order[k]);
    }
    CHECK(x.to_host() == expected);
    CHECK(v.to_host() == a);
  });
}

TEST_CASE("structures of 3 and 24 bytes are sorted by an operator of the program") {
  for_each_context([](ts::context& ctx) {
    for (const std::int64_t n : {1, 5, 4099}) {
      std::vector<entry> a;
      std::vector<letters> b;
      const ints random = numbers_below(n, 200, 3);
      for (std::int64_t k = 0; k < n; ++k) {
        const int r = random[static_cast<std::size_t>(k)];
        a.push_back({r / 7.0, k, r % 5});
        b.push_back(
            {static_cast<unsigned char>(k), static_cast<unsigned char>(r), static_cast<unsigned char>(k / 256)});
      }
      ts::vector<entry> x(a, ctx);
      ts::vector<letters> y(b, ctx);
      ts::sort(x, lighter());
      std::stable_sort(a.begin(), a.end(), lighter());
      CHECK(x.to_host() == a);
      ts::sort_by_key(y, x, by_middle());
      std::stable_sort(b.begin(), b.end(), by_middle());
      CHECK(y.to_host() == b);
    }
  });
}

TEST_CASE("-0 equals +0 and NaN goes last") {
  for_each_context([](ts::context& ctx) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    std::vector<float> a;
    for (int k = 0; k < 300; ++k)
      for (const float v : {0.0f, -0.0f, nan, 1.5f, -inf, -3.0f, inf}) a.push_back(v);
    ts::vector<float> x(a, ctx);
    ts::vector<int> places(std::ssize(a), 0, ctx);
    ts::sequence(places);
    ts::sort_by_key(x, places);
    std::vector<int> order(a.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int p, int q) {
      const float u = a[static_cast<std::size_t>(p)], v = a[static_cast<std::size_t>(q)];
      return std::isnan(v) ? !std::isnan(u) : u < v;
    });
    CHECK(places.to_host() == order);
  });
}

TEST_CASE("sorts have the same result on any number of ranks") {
  const ints a = numbers_below(20011, 5000);
  ints sorted = a;
  std::sort(sorted.begin(), sorted.end());
  const std::vector<std::int64_t> order = order_of(a);
  for (const int ranks : {2, 3, 4})
    on_ranks(ranks, ranks == 2 ? "cpu*3" : "cpu", [&](ts::context& ctx) {
      ts::vector<int> x(a, ctx);
      ts::vector<std::int64_t> places(std::ssize(a), 0, ctx);
      ts::sequence(places);
      ts::sort_by_key(x, places, [](auto u, auto v) { return u < v; });
      require(x.to_host() == sorted && places.to_host() == order, "a rank has another order");
      require(ts::merge(x, x).to_host().size() == 2 * sorted.size(), "a merge is too short");
    });
}

TEST_CASE("sorts refuse keys and values that do not belong together, and orders that are none") {
  ts::context ctx(quiet("cpu*2"));
  ts::vector<int> x(6, 1, ctx), y(5, 1, ctx);
  ts::matrix<int> m(4, 4, 1, ctx);
  CHECK_THROWS_WITH_AS(ts::sort_by_key(x, y), doctest::Contains("6 keys and 5 values"), ts::argument_error);
  CHECK_THROWS_WITH_AS(ts::sort_by_key(x, x), doctest::Contains("the same elements"), ts::argument_error);
  CHECK_THROWS_WITH_AS(ts::sort(m.box(0, 2, 0, 2)), doctest::Contains("give a vector or a part of one"),
                       ts::argument_error);
  CHECK_THROWS_WITH_AS(ts::merge(x, y, y), doctest::Contains("an output of 5 elements for 6 and 5"),
                       ts::argument_error);
  CHECK_THROWS_AS(ts::sort(x.begin(), y.end()), ts::argument_error);
  ts::context checking(quiet("cpu*2", "unwritten"));
  ts::vector<int> z(100, 1, checking);
  ts::sequence(z);
  CHECK_THROWS_WITH_AS(ts::sort(z, [](auto a, auto b) { return a <= b; }), doctest::Contains("comes before itself"),
                       ts::argument_error);
}

TEST_CASE("a vector is sorted while a guard of none of its elements is held") {
  ts::context ctx(cut_everywhere("cpu*3"));
  ts::vector<int> x({3, 1, 2}, ctx);
  {
    const auto none = x.part(1, 1).host(ts::readwrite);
    ts::sort(x);
  }
  CHECK(x.to_host() == ints{1, 2, 3});
}
