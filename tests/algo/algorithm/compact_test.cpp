// Algorithms that keep some elements, against the standard library.
#include "tests/algo/algorithm/support.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

using namespace tessera::support;
namespace views = ts::views;

// clang-format off
TS_DEVICE(
struct below {
  int limit;
  bool operator()(int x) const { return x < limit; }
};
inline bool odd(int x) { return x % 2 != 0; }
struct rgb { unsigned char r, g, b; };
struct dark {
  bool operator()(rgb c) const { return c.r + c.g + c.b < 300; }
};
struct particle {
  double mass;
  long long id;
  int kind, age;
};
struct of_kind {
  int kind;
  bool operator()(particle p) const { return p.kind == kind; }
};)
// clang-format on

namespace {
  using ints = std::vector<int>;

  template <class Body>
  void for_each_size(Body body, std::int64_t room = 0) {
    const auto sizes = [&](ts::context& ctx) {
      for (const std::int64_t n : {0, 1, 3, 7, 8, 4095, 4096, 4097, 20011}) {
        CAPTURE(n);
        body(ctx, n);
      }
    };
    for_each_context(sizes, room);
  }

  template <class T, class Holds>
  std::vector<T> kept(const std::vector<T>& a, Holds holds) {
    std::vector<T> all;
    std::copy_if(a.begin(), a.end(), std::back_inserter(all), holds);
    return all;
  }

}  // namespace

TEST_CASE("copy_if keeps what every kind of predicate holds for") {
  for_each_size([](ts::context& ctx, std::int64_t n) {
    const ints a = numbers_below(n, 1000);
    const ts::vector<int> x(a, ctx);
    const int limit = 300;
    const ints expected = kept(a, [&](int v) { return v < limit; });
    CHECK(ts::copy_if(x, [limit](auto v) { return v < limit; }).to_host() == expected);
    CHECK(ts::copy_if(x, below{limit}).to_host() == expected);
    CHECK(ts::copy_if(x, TS_FN((limit), [=](int v) { return v < limit; })).to_host() == expected);
    CHECK(ts::copy_if(x, ts::host([&](int v) { return v < limit; })).to_host() == expected);
    CHECK(ts::copy_if(x, ts::algo::named_function<odd>()).to_host() == kept(a, [](int v) { return v % 2 != 0; }));
    CHECK(ts::copy_if(x, ts::identity()).to_host() == kept(a, [](int v) { return v != 0; }));
    CHECK(ts::remove_copy_if(x, std::logical_not<>()).to_host() == kept(a, [](int v) { return v != 0; }));
  });
}

TEST_CASE("copy_if writes to containers, parts and iterators, asks a stencil, and converts") {
  for_each_size(
      [](ts::context& ctx, std::int64_t n) {
        const ints a = numbers_below(n, 1000), s = numbers_below(n, 2, 7);
        const ts::vector<int> x(a, ctx), stencil(s, ctx);
        const auto low = [](auto v) { return v < 500; };
        ints expected = kept(a, low);
        ts::vector<int> out(n + 2, -1, ctx);
        CHECK(ts::copy_if(x, out, low) == std::ssize(expected));
        expected.resize(a.size() + 2, -1);
        CHECK(out.to_host() == expected);

        ts::fill(out, -2);
        const ints behind = kept(a, [](int v) { return v >= 500; });
        const auto end = ts::remove_copy_if(x.begin(), x.end(), out.begin() + 1, low);
        CHECK(end - out.begin() == std::ssize(behind) + 1);
        expected.assign(a.size() + 2, -2);
        std::copy(behind.begin(), behind.end(), expected.begin() + 1);
        CHECK(out.to_host() == expected);

        std::vector<double> chosen;
        for (std::size_t k = 0; k < a.size(); ++k)
          if (s[k] != 0) chosen.push_back(a[k]);
        ts::vector<double> wide(n, 0.0, ctx);
        CHECK(ts::copy_if(x, stencil, wide, ts::identity()) == std::ssize(chosen));
        wide.resize(std::ssize(chosen));
        CHECK(wide.to_host() == chosen);
        CHECK(ts::copy_if(x.begin(), x.end(), stencil.begin(), out.begin() + 1, ts::identity()) - out.begin() ==
              std::ssize(chosen) + 1);
        CHECK(ts::copy_where(x, stencil).to_host() == ints(chosen.begin(), chosen.end()));
      },
      1 << 18);
}

TEST_CASE("views, zipped ranges and parts are compacted as they are") {
  for_each_size(
      [](ts::context& ctx, std::int64_t n) {
        const ints a = numbers_below(n, 1000), b = numbers_below(n, 1000, 5);
        const ts::vector<int> x(a, ctx), y(b, ctx);
        const auto low = [](auto v) { return v < 300; };
        ints turned(a.rbegin(), a.rend());
        CHECK(ts::copy_if(views::reverse(x), low).to_host() == kept(turned, low));
        const auto doubled = x | views::transform([](auto v) { return 2 * v; });
        ints twice(a);
        for (int& v : twice) v *= 2;
        CHECK(ts::copy_if(doubled, low).to_host() == kept(twice, low));
        ints pairs, places;
        std::vector<int> first, second;
        for (std::size_t k = 0; k < a.size(); ++k) {
          if (a[k] < b[k]) first.push_back(a[k]), second.push_back(b[k]);
          if (a[k] < 300) places.push_back(static_cast<int>(k));
        }
        const auto [u, v] = ts::copy_if(views::zip(x, y), ts::less());
        CHECK(u.to_host() == first);
        CHECK(v.to_host() == second);
        CHECK(ts::copy_where(views::counting(0, static_cast<int>(n)), x, low).to_host() == places);
        if (n < 7) return;
        const ints middle(a.begin() + 2, a.end() - 3);
        CHECK(ts::copy_if(x.part(2, n - 3), low).to_host() == kept(middle, low));
        const ts::vector<int> none(0, 0, ctx);
        CHECK(ts::copy_if(views::counting(0, 0), low).empty());
        CHECK(ts::copy_if(none, low).empty());
      },
      1 << 18);
}

TEST_CASE("a function of a view is not applied to elements that a stencil leaves out") {
  ts::context ctx(quiet("cpu*3"));
  const ints a = numbers_below(9000, 4);
  const ts::vector<int> x(a, ctx);
  const auto quotients = x | views::transform([](auto v) { return 12 / v; });
  ints expected;
  for (const int v : a)
    if (v != 0) expected.push_back(12 / v);
  CHECK(ts::copy_where(quotients, x).to_host() == expected);
}

TEST_CASE("remove and remove_if shorten vectors and move what stays to the beginning of iterator pairs") {
  for_each_size([](ts::context& ctx, std::int64_t n) {
    const ints a = numbers_below(n, 9), s = numbers_below(n, 2, 7);
    const ts::vector<int> stencil(s, ctx);
    ints expected = a;
    ts::vector<int> x(a, ctx);
    const auto removed = std::erase_if(expected, [](int v) { return v > 5; });
    CHECK(ts::remove_if(x, [](auto v) { return v > 5; }) == static_cast<std::int64_t>(removed));
    CHECK(x.to_host() == expected);
    CHECK(ts::remove(x, 2) == static_cast<std::int64_t>(std::erase(expected, 2)));
    CHECK(x.to_host() == expected);
    x.push_back(77);
    expected.push_back(77);
    CHECK(ts::remove_if(x, [](auto v) { return v == 1000; }) == 0);
    CHECK(x.to_host() == expected);
    ints copied;
    std::remove_copy(a.begin(), a.end(), std::back_inserter(copied), 3);
    x = ts::vector<int>(a, ctx);
    CHECK(ts::remove_copy(x, 3).to_host() == copied);
    ts::vector<int> out(n, 0, ctx);
    CHECK(ts::remove_copy(x.begin(), x.end(), out.begin(), 3) - out.begin() == std::ssize(copied));

    const auto end = ts::remove_if(x.begin(), x.end(), [](auto v) { return v > 5; });
    expected = kept(a, [](int v) { return v <= 5; });
    CHECK(end - x.begin() == std::ssize(expected));
    x.erase(end, x.end());
    CHECK(x.to_host() == expected);
    x = ts::vector<int>(a, ctx);
    ts::vector<int> y = x;
    const auto middle = ts::remove_if(x.begin(), x.end(), stencil.begin(), ts::logical_not());
    expected.clear();
    for (std::size_t k = 0; k < a.size(); ++k)
      if (s[k] != 0) expected.push_back(a[k]);
    CHECK(x.part(0, middle - x.begin()).to_host() == expected);
    CHECK(ts::remove_if(y, stencil, ts::logical_not()) == n - std::ssize(expected));
    CHECK(y.to_host() == expected);
    ts::vector<int> z(a, ctx);
    const auto last = ts::remove(z.begin(), z.end(), 4);
    CHECK(last - z.begin() == std::ssize(a) - std::count(a.begin(), a.end(), 4));
  });
}

TEST_CASE("partitions are stable, in place and into two outputs") {
  for_each_size([](ts::context& ctx, std::int64_t n) {
    const ints a = numbers_below(n, 1000), s = numbers_below(n, 2, 7);
    const auto low = [](auto v) { return v < 400; };
    ts::vector<int> x(a, ctx);
    const ts::vector<int> stencil(s, ctx);
    ints expected = a;
    const auto border = std::stable_partition(expected.begin(), expected.end(), low) - expected.begin();
    const auto [holding, others] = ts::partition_copy(x, low);
    CHECK(holding.to_host() == ints(expected.begin(), expected.begin() + border));
    CHECK(others.to_host() == ints(expected.begin() + border, expected.end()));
    ts::vector<int> one(n, -1, ctx), two(n, -1, ctx);
    CHECK(ts::partition_copy(x, one, two, low) == std::pair<std::int64_t, std::int64_t>(border, n - border));
    CHECK(one.part(0, border).to_host() == holding.to_host());
    CHECK(two.part(0, n - border).to_host() == others.to_host());
    const auto ends =
        ts::stable_partition_copy(x.begin(), x.end(), stencil.begin(), one.begin(), two.begin(), ts::identity());
    CHECK(ends.first - one.begin() == std::count(s.begin(), s.end(), 1));
    CHECK(ends.second - two.begin() == std::count(s.begin(), s.end(), 0));
    CHECK(ts::stable_partition(x.begin(), x.end(), low) - x.begin() == border);
    CHECK(x.to_host() == expected);
    x = ts::vector<int>(a, ctx);
    CHECK(ts::partition(x, stencil, ts::identity()) == std::count(s.begin(), s.end(), 1));
    std::size_t next = 0;
    for (const int wanted : {1, 0})
      for (std::size_t k = 0; k < a.size(); ++k)
        if (s[k] == wanted) expected[next++] = a[k];
    CHECK(x.to_host() == expected);
    CHECK(ts::is_partitioned(ts::vector<int>(expected, ctx), low) ==
          std::is_partitioned(expected.begin(), expected.end(), low));
  });
}

TEST_CASE("structs of 3 and of 24 bytes are kept") {
  for_each_size(
      [](ts::context& ctx, std::int64_t n) {
        const ints a = numbers_below(3 * n, 256), b = numbers_below(n, 5);
        std::vector<rgb> colours;
        std::vector<particle> particles;
        for (std::size_t k = 0; k < b.size(); ++k) {
          const auto byte = [&](std::size_t j) { return static_cast<unsigned char>(a[3 * k + j]); };
          colours.push_back({byte(0), byte(1), byte(2)});
          particles.push_back({0.5 * static_cast<double>(k), static_cast<long long>(k), b[k], 3});
        }
        const std::vector<rgb> few = ts::copy_if(ts::vector<rgb>(colours, ctx), dark()).to_host();
        std::vector<rgb> expected;
        std::copy_if(colours.begin(), colours.end(), std::back_inserter(expected),
                     [](rgb c) { return c.r + c.g + c.b < 300; });
        REQUIRE(few.size() == expected.size());
        CHECK(std::equal(few.begin(), few.end(), expected.begin(),
                         [](rgb c, rgb d) { return c.r == d.r && c.g == d.g && c.b == d.b; }));
        ts::vector<particle> all(particles, ctx);
        const std::int64_t first = ts::partition(all, of_kind{2});
        std::stable_partition(particles.begin(), particles.end(), [](const particle& p) { return p.kind == 2; });
        CHECK(first == std::count_if(b.begin(), b.end(), [](int kind) { return kind == 2; }));
        const std::vector<particle> got = all.to_host();
        CHECK(std::equal(
            got.begin(), got.end(), particles.begin(), particles.end(),
            [](const particle& p, const particle& q) { return p.id == q.id && p.mass == q.mass && p.age == q.age; }));
      },
      1 << 18);
}

namespace {

/// The ends of the parts of a vector, and their devices.
std::vector<std::pair<std::int64_t, int>> ends_of(const ts::vector<int>& v) {
  std::vector<std::pair<std::int64_t, int>> ends;
  for (const auto& p : v.layout()) ends.emplace_back(p.bounds.hi[0], p.device);
  return ends;
}

}  // namespace

TEST_CASE("what is kept rests where it was found; nothing moves between devices but counts through the host") {
  ts::context ctx(calm("cpu*3"));
  const std::int64_t part = 5 * 4096, n = 3 * part;
  ts::vector<int> x(n, 0, ctx);
  ts::sequence(x);
  movement sevenths(ctx);
  const ts::vector<int> some = ts::copy_if(x, [](auto v) { return v % 7 == 0; });
  const ts::statistics moved = sevenths.moved();
  CHECK(moved.device_to_device_bytes == 0);
  CHECK(moved.device_to_host_bytes == 15 * 8);
  CHECK(moved.host_to_device_bytes <= (15 + 3) * 8);
  const auto before = [](std::int64_t v) { return (v + 6) / 7; };
  CHECK(ends_of(some) ==
        std::vector<std::pair<std::int64_t, int>>{{before(part), 0}, {before(2 * part), 1}, {before(n), 2}});
  CHECK(some.size() == before(n));

  movement rest(ctx);
  const auto [low, high] = ts::partition_copy(x, [](auto v) { return v < 25000; });
  const auto again = ts::copy_if(high, [](auto v) { return v % 2 == 0; });
  CHECK(ends_of(low) == std::vector<std::pair<std::int64_t, int>>{{part, 0}, {25000, 1}});
  CHECK(ends_of(high) == std::vector<std::pair<std::int64_t, int>>{{2 * part - 25000, 1}, {n - 25000, 2}});
  // The border between the parts of `high` lies in a chunk of it, half of which moves at most.
  CHECK(rest.moved().device_to_device_bytes <= 2048 * 4);
  CHECK(again.size() == (n - 25000) / 2);

  movement one_sided(ctx);
  const ts::vector<int> last = ts::copy_if(x, [n](auto v) { return v >= static_cast<int>(n) - 100; });
  const ts::vector<int> none = ts::copy_if(x, [](auto v) { return v < 0; });
  const ts::vector<int> all = ts::remove_copy(x, -1), all_last = ts::copy_if(last, [](auto v) { return v > 0; });
  CHECK(one_sided.moved().device_to_device_bytes == 0);
  CHECK(ends_of(last) == std::vector<std::pair<std::int64_t, int>>{{100, 2}});
  CHECK(ends_of(all_last) == ends_of(last));
  CHECK(none.empty());
  CHECK(ends_of(all) == ends_of(x));
  ts::vector<int> shorter = all;
  CHECK(ts::remove_if(shorter, [](auto v) { return v % 7 != 0; }) == n - some.size());
  CHECK(ends_of(shorter) == ends_of(some));
  CHECK(shorter.to_host() == some.to_host());
  shorter.push_back(5);
  CHECK(ts::copy_if(shorter, [](auto v) { return v == 5; }).to_host() == ints{5});
}

TEST_CASE("compactions of several devices launch twice, and the host reads a count per chunk") {
  ts::context ctx(calm("cpu*2"));
  ts::vector<int> x(100000, 3, ctx);
  ctx.wait();
  movement both(ctx);
  CHECK(ts::copy_if(x, [](auto v) { return v == 3; }).size() == 100000);
  const ts::statistics moved = both.moved();
  CHECK(moved.launches == 2);
  CHECK(moved.device_to_host_bytes <= 25 * 8);
}

TEST_CASE("compactions on ranks keep the same elements in the same parts") {
  const std::int64_t n = 9 * 4096 + 5;
  const ints a = numbers_below(n, 1000);
  const ints expected = kept(a, [](int v) { return v < 300; });
  for (const int ranks : {2, 3})
    on_ranks(ranks, ranks == 2 ? "cpu*2" : "cpu", [&](ts::context& ctx) {
      ts::vector<int> x(a, ctx);
      const ts::vector<int> some = ts::copy_if(x, [](auto v) { return v < 300; });
      require(some.to_host() == expected, "a rank has other elements");
      require(some.layout().size() == static_cast<std::size_t>(ranks == 2 ? 4 : 3), "parts on all devices");
      require(ts::remove_if(x, ts::host([](int v) { return v >= 300; })) == n - std::ssize(expected), "another size");
      require(x.to_host() == expected, "a rank has other elements after remove_if");
      require(ts::partition(x, [](auto v) { return v % 2 == 0; }) ==
                  std::count_if(expected.begin(), expected.end(), [](int v) { return v % 2 == 0; }),
              "another border");
    });
}

TEST_CASE("outputs that are too small, shared or of several rows are refused") {
  ts::context ctx(quiet("cpu*3"));
  ts::vector<int> x(100, 1, ctx), y(50, 1, ctx);
  const auto any = [](auto v) { return v == 1; };
  CHECK_THROWS_WITH_AS(ts::copy_if(x, y, any),
                       doctest::Contains("copy_if: 100 elements are kept, but the output has 50"), ts::argument_error);
  CHECK_THROWS_WITH_AS(ts::copy_if(x.begin(), x.end(), y.begin() + 10, any),
                       doctest::Contains("100 elements are kept, but the output has 40"), ts::argument_error);
  CHECK_THROWS_WITH_AS(ts::copy_if(x, x, any), doctest::Contains("compact_test.cpp"), ts::argument_error);
  CHECK_THROWS_WITH_AS(ts::copy_if(x, x, any), doctest::Contains("the output shares elements with what is read"),
                       ts::argument_error);
  CHECK_THROWS_WITH_AS(ts::copy_if(x, y, x, any), doctest::Contains("ranges of 50 and 100 elements"),
                       ts::argument_error);
  ts::vector<int> z(200, 0, ctx);
  CHECK_THROWS_WITH_AS(ts::partition_copy(x, y, z, any),
                       doctest::Contains("partition_copy: 100 elements are kept, but the output has 50"),
                       ts::argument_error);
  ts::sequence(x);
  CHECK_THROWS_WITH_AS(ts::partition_copy(x, z.begin() + 50, z.begin() + 70, [](auto v) { return v < 40; }),
                       doctest::Contains("two outputs share elements"), ts::argument_error);
  CHECK(z.to_host() == ints(200, 0));
  ts::fill(x, 1);
  ts::matrix<int> m(20, 10, 0, ctx);
  CHECK_THROWS_WITH_AS(ts::copy_if(x, m, any), doctest::Contains("not of an output of the shape {20, 10}"),
                       ts::argument_error);
  CHECK(ts::copy_if(m, [](auto v) { return v == 0; }).size() == 200);
  const auto held = x.host(ts::write);
  CHECK_THROWS_AS((void)ts::copy_if(x, any), ts::argument_error);
  const auto endless = views::counting(std::int64_t{0}, std::int64_t{1} << 62);
  CHECK_THROWS_AS((void)ts::copy_if(endless, [](auto v) { return v == 0; }), ts::out_of_memory);
}
