// Elements taken from and put to places that other elements tell, against plain loops.
#include "tests/algo/algorithm/support.h"

#include <algorithm>
#include <numeric>

using namespace tessera::support;
namespace views = ts::views;

TS_DEVICE(
    struct three_channels { unsigned char a, b, c; }; struct long_record {
      double x;
      long long y, z;
    };)

static bool operator==(const three_channels& x, const three_channels& y) {
  return x.a == y.a && x.b == y.b && x.c == y.c;
}
static bool operator==(const long_record& x, const long_record& y) { return x.x == y.x && x.y == y.y && x.z == y.z; }

namespace {

using ints = std::vector<int>;

/// Numbers of elements and of places: few places among many elements, which are routed to their owners, and the other
/// way round.
template <class Body>
void for_each_size(Body body) {
  for_each_context([&](ts::context& ctx) {
    using numbers = std::pair<std::int64_t, std::int64_t>;
    for (const auto& sizes :
         selected<numbers>({{1, 1}, {7, 100}, {5000, 0}, {5000, 600}, {5000, 5000}}, {{1, 1},
                                                                                      {3, 2},
                                                                                      {7, 100},
                                                                                      {100, 3000},
                                                                                      {5000, 0},
                                                                                      {5000, 1},
                                                                                      {5000, 600},
                                                                                      {5000, 5000},
                                                                                      {20'000, 3000}})) {
      const std::int64_t n = sizes.first, q = sizes.second;
      CAPTURE(n);
      CAPTURE(q);
      body(ctx, n, q);
    }
  });
}

}  // namespace

TEST_CASE("gather takes elements from any places, of containers, views and iterators") {
  for_each_size([](ts::context& ctx, std::int64_t n, std::int64_t q) {
    const ints a = numbers_below(n, 1 << 20), m = numbers_below(q, n, 3);
    const ts::vector<int> source(a, ctx), map(m, ctx);
    const ints expected = gathered(m, a);
    CHECK(ts::gather(map, source).to_host() == expected);
    ts::vector<int> out(q, -1, ctx);
    ts::gather(map.begin(), map.end(), source.begin(), out.begin());
    CHECK(out.to_host() == expected);
    ts::vector<double> wide(q, -1.0, ctx);
    const int last = static_cast<int>(n) - 1;
    ts::gather(map | views::transform([last](auto at) { return last - at; }), views::reverse(source), wide);
    CHECK(wide.to_host() == std::vector<double>(expected.begin(), expected.end()));
    ts::vector<std::uint64_t> far(std::vector<std::uint64_t>(m.begin(), m.end()), ctx);
    ts::gather(views::reverse(far), source, out);
    CHECK(out.to_host() == ints(expected.rbegin(), expected.rend()));
  });
}

TEST_CASE("gather_if leaves elements that its stencil does not hold for") {
  for_each_size([](ts::context& ctx, std::int64_t n, std::int64_t q) {
    const ints a = numbers_below(n, 1 << 20), m = numbers_below(q, n, 3), s = numbers_below(q, 3, 5);
    const ts::vector<int> source(a, ctx), map(m, ctx), stencil(s, ctx);
    ts::vector<int> out(q, -1, ctx);
    ts::gather_if(map, stencil, source, out);
    ints expected(m.size(), -1);
    for (std::size_t k = 0; k < m.size(); ++k)
      if (s[k] != 0) expected[k] = a[static_cast<std::size_t>(m[k])];
    CHECK(out.to_host() == expected);
    ts::vector<double> wide(q, 0.5, ctx);
    ts::gather_if(map.begin(), map.end(), stencil.begin(), source.begin(), wide.begin(), [](auto v) { return v == 2; });
    std::vector<double> some(m.size(), 0.5);
    for (std::size_t k = 0; k < m.size(); ++k)
      if (s[k] == 2) some[k] = a[static_cast<std::size_t>(m[k])];
    CHECK(wide.to_host() == some);
    ts::gather_if(map, stencil, source, out, ts::host([](int) { return false; }));
    CHECK(out.to_host() == expected);
  });
}

TEST_CASE("scatter puts values to places, and leaves the others") {
  for_each_size([](ts::context& ctx, std::int64_t n, std::int64_t q) {
    q = std::min(n, q);
    const ints a = numbers_below(q, 1 << 20), s = numbers_below(q, 3, 5);
    ints m = shuffled(n);
    m.resize(static_cast<std::size_t>(q));
    const ts::vector<int> values(a, ctx), map(m, ctx), stencil(s, ctx);
    ts::vector<int> out(n, -1, ctx);
    ts::scatter(values, map, out);
    ints expected(static_cast<std::size_t>(n), -1);
    for (std::size_t k = 0; k < m.size(); ++k) expected[static_cast<std::size_t>(m[k])] = a[k];
    CHECK(out.to_host() == expected);
    ts::vector<double> wide(n, 0.5, ctx);
    ts::scatter_if(values | views::transform([](auto v) { return v + 1; }), map, stencil, wide);
    std::vector<double> some(static_cast<std::size_t>(n), 0.5);
    for (std::size_t k = 0; k < m.size(); ++k)
      if (s[k] != 0) some[static_cast<std::size_t>(m[k])] = a[k] + 1;
    CHECK(wide.to_host() == some);
    ts::scatter(values.begin(), values.end(), map.begin(), out.begin());
    ts::scatter_if(values.begin(), values.end(), map.begin(), stencil.begin(), out.begin(),
                   [](auto v) { return v > 100; });
    CHECK(out.to_host() == expected);
    const auto own = views::counting(0, static_cast<int>(n));
    ts::scatter(own, views::reverse(own), out);
    CHECK(out.to_host() == views::reverse(own).to_host());
  });
}

TEST_CASE("structs of 3 and 24 bytes are gathered and scattered, in parts of containers, too") {
  for_each_size([](ts::context& ctx, std::int64_t n, std::int64_t q) {
    std::vector<three_channels> small;
    std::vector<long_record> large;
    for (std::int64_t k = 0; k < n; ++k) {
      small.push_back({static_cast<unsigned char>(k), static_cast<unsigned char>(k / 256), 9});
      large.push_back({static_cast<double>(k) / 3, k, -k});
    }
    const ints m = numbers_below(q, n, 3);
    const ts::vector<int> map(m, ctx);
    const ts::vector<three_channels> x(small, ctx);
    const ts::vector<long_record> y(large, ctx);
    CHECK((ts::gather(map, x).to_host() == gathered(m, small)));
    CHECK((ts::gather(map, y).to_host() == gathered(m, large)));
    const ints order = shuffled(n);
    ts::vector<long_record> out(n + 2, {7, 7, 7}, ctx);
    ts::scatter(y, ts::vector<int>(order, ctx), out.part(1, n + 1));
    std::vector<long_record> expected(static_cast<std::size_t>(n) + 2, {7, 7, 7});
    for (std::size_t k = 0; k < order.size(); ++k) expected[static_cast<std::size_t>(order[k]) + 1] = large[k];
    CHECK((out.to_host() == expected));
    if (n < 5) return;
    ints near = m;
    for (int& at : near) at = at % (static_cast<int>(n) - 4);
    const std::vector<three_channels> part(small.begin() + 2, small.end());
    CHECK((ts::gather(ts::vector<int>(near, ctx), x.part(2, n)).to_host() == gathered(near, part)));
  });
}

TEST_CASE("gathers and scatters are the same on ranks") {
  const std::int64_t n = 9000;
  const ints a = numbers_below(n, 1 << 20), m = shuffled(n), few(m.begin(), m.begin() + 700);
  ints scattered(a.size());
  for (std::size_t k = 0; k < m.size(); ++k) scattered[static_cast<std::size_t>(m[k])] = a[k];
  for (const int ranks : {2, 3})
    on_ranks(ranks, ranks == 2 ? "cpu*3" : "cpu", [&](ts::context& ctx) {
      const ts::vector<int> source(a, ctx), map(m, ctx);
      require(ts::gather(map, source).to_host() == gathered(m, a), "gathered");
      require(ts::gather(ts::vector<int>(few, ctx), source).to_host() == gathered(few, a), "gathered a few");
      ts::vector<int> out(n, 0, ctx);
      ts::scatter(source, map, out);
      require(out.to_host() == scattered, "scattered");
    });
}

TEST_CASE("places outside touch nothing outside, and are named where programs are checked") {
  const ints m = {3, -1, 2, 4, 1 << 30, 0};
  for (const char* devices : {"cpu", "cpu*3"}) {
    ts::context ctx(cut_everywhere(devices));
    const ts::vector<int> map(m, ctx), source({10, 11, 12, 13}, ctx), values(6, 5, ctx);
    const ints got = ts::gather(map, source).to_host();
    CHECK(got[0] == 13);
    CHECK(got[2] == 12);
    CHECK(got[5] == 10);
    ts::vector<int> out(4, 0, ctx);
    ts::scatter(values, map, out);
    CHECK(out.to_host() == ints{5, 0, 5, 5});
    ts::options settings = cut_everywhere(devices);
    settings.check = ts::parse_checks("guards");
    ts::context checked(settings);
    const ts::vector<int> own(m, checked), own_source(4, 1, checked), stencil({1, 0, 1, 0, 1, 1}, checked);
    ts::vector<int> own_out(6, 0, checked);
    CHECK_THROWS_WITH_AS(static_cast<void>(ts::gather(own, own_source)),
                         doctest::Contains("gather: place -1 at position 1 of the map is outside of the 4 elements"),
                         ts::argument_error);
    CHECK_THROWS_WITH_AS(ts::gather_if(own, stencil, own_source, own_out),
                         doctest::Contains("place 1073741824 at position 4"), ts::argument_error);
    CHECK_THROWS_WITH_AS(ts::scatter(own, own, own_source.part(0, 4)), doctest::Contains("place -1 at position 1"),
                         ts::argument_error);
    CHECK(own_out.to_host() == ints(6, 0));
  }
}

TEST_CASE("values for one place are named where programs are checked") {
  for (const char* devices : {"cpu", "cpu*3"}) {
    ts::options settings = cut_everywhere(devices);
    settings.check = ts::parse_checks("guards");
    ts::context ctx(settings);
    const ts::vector<int> map({3, 1, 0, 1, 4}, ctx), values(5, 8, ctx), stencil({1, 0, 1, 1, 1}, ctx);
    ts::vector<int> out(5, 0, ctx);
    CHECK_THROWS_WITH_AS(ts::scatter(values, map, out), doctest::Contains("both go to place 1"), ts::argument_error);
    CHECK(out.to_host() == ints(5, 0));
    ts::scatter_if(values, map, stencil, out);
    CHECK(out.to_host() == ints{8, 8, 0, 8, 8});
  }
}

TEST_CASE("gathers and scatters of sizes that do not fit are refused") {
  ts::context ctx(quiet("cpu"));
  ts::vector<int> x(6, 1, ctx), y(5, 1, ctx), none(0, 0, ctx);
  CHECK_THROWS_WITH_AS(ts::gather(x, y, y), doctest::Contains("an output of 5 elements for 6 places"),
                       ts::argument_error);
  CHECK_THROWS_WITH_AS(ts::gather(y, x, x.part(0, 5)), doctest::Contains("the output is also an input"),
                       ts::argument_error);
  CHECK_THROWS_WITH_AS(ts::scatter(x, y, x), doctest::Contains("6 values for 5 places"), ts::argument_error);
  CHECK_THROWS_WITH_AS(static_cast<void>(ts::gather(x, none)), doctest::Contains("6 places, but no elements"),
                       ts::argument_error);
  CHECK(ts::gather(none, none).size() == 0);
  ts::scatter(none, none, x);
  CHECK(x.to_host() == ints(6, 1));
}
