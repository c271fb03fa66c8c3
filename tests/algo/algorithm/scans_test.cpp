// Running combinations of ranges, against the standard library.
#include "tests/algo/algorithm/support.h"

#include <algorithm>
#include <functional>
#include <numeric>

using namespace tessera::support;
namespace views = ts::views;

// Affine maps x -> a * x + b of integers modulo 2^32: their composition does not commute. Thirds of a word combine by
// taking the last one that is not zero: no element is an identity from the left and the right for `weighted`.
TS_DEVICE(
    struct affine_map {
  unsigned a, b;
    };
    struct then {
      affine_map operator()(affine_map f, affine_map g) const { return {g.a * f.a, g.a * f.b + g.b};
}
}
;
struct bytes_of_three {
  unsigned char a, b, c;
};
struct last_that_counts {
  bytes_of_three operator()(bytes_of_three x, bytes_of_three y) const {
    return {(unsigned char)(x.a + y.a), y.b != 0 ? y.b : x.b, y.c};
  }
};
struct wide_element {
  double sum;
  long long first, last;
};
struct joined {
  wide_element operator()(wide_element x, wide_element y) const { return {x.sum + y.sum, x.first, y.last}; }
};)

static bool operator==(const affine_map& x, const affine_map& y) {
  return x.a == y.a && x.b == y.b;
}
static bool operator==(const bytes_of_three& x, const bytes_of_three& y) {
  return x.a == y.a && x.b == y.b && x.c == y.c;
}
static bool operator==(const wide_element& x, const wide_element& y) {
  return x.sum == y.sum && x.first == y.first && x.last == y.last;
}

namespace {

using ints = std::vector<int>;

constexpr std::int64_t room = 128 << 10;  // a chunk of elements of eight bytes

template <class Body>
void for_each_size(Body body) {
  for_each_context(
      [&](ts::context& ctx) {
        for (const std::int64_t n : {0, 1, 2, 7, 4095, 4096, 4097, 12'305}) {
          CAPTURE(n);
          body(ctx, n);
        }
      },
      room);
}

std::vector<affine_map> affine_maps(std::int64_t n) {
  std::vector<affine_map> all;
  for (const int v : numbers_below(n, 1 << 20))
    all.push_back({static_cast<unsigned>(v) | 1u, static_cast<unsigned>(v) * 7});
  return all;
}

}  // namespace

TEST_CASE("inclusive and exclusive scans of ranges, views and iterators, into outputs and new vectors") {
  for_each_size([](ts::context& ctx, std::int64_t n) {
    const ints a = numbers_below(n, 1000);
    const ts::vector<int> x(a, ctx);
    ts::vector<int> out(n, -1, ctx);
    ints expected(a.size());
    std::inclusive_scan(a.begin(), a.end(), expected.begin());
    CHECK(ts::inclusive_scan(x).to_host() == expected);
    CHECK(ts::inclusive_scan(x.begin(), x.end()).to_host() == expected);
    ts::inclusive_scan(x, out);
    CHECK(out.to_host() == expected);
    ts::inclusive_scan(x.begin(), x.end(), out.begin(), ts::maximum());
    std::inclusive_scan(a.begin(), a.end(), expected.begin(), [](int u, int v) { return std::max(u, v); });
    CHECK(out.to_host() == expected);
    std::exclusive_scan(a.begin(), a.end(), expected.begin(), 17);
    CHECK(ts::exclusive_scan(x, 17).to_host() == expected);
    CHECK(ts::exclusive_scan(x.begin(), x.end(), 17).to_host() == expected);
    ts::exclusive_scan(x, out, 17, std::plus<>());
    CHECK(out.to_host() == expected);
    ts::exclusive_scan(x.begin(), x.end(), out, 17);
    CHECK(out.to_host() == expected);
    const auto twice = x | views::transform([](auto v) { return 2 * v; });
    std::transform_inclusive_scan(a.begin(), a.end(), expected.begin(), std::plus<>(), [](int v) { return 2 * v; });
    CHECK(ts::inclusive_scan(twice).to_host() == expected);
    std::transform_exclusive_scan(a.begin(), a.end(), expected.begin(), 5, std::plus<>(), [](int v) { return 2 * v; });
    CHECK(ts::exclusive_scan(twice, 5).to_host() == expected);
    CHECK(ts::inclusive_scan(views::counting(0, static_cast<int>(n))).size() == n);
    std::inclusive_scan(a.rbegin(), a.rend(), expected.begin());
    CHECK(ts::inclusive_scan(views::reverse(x)).to_host() == expected);
  });
}

TEST_CASE("transformed scans fuse their function, and convert to the type of the output") {
  for_each_size([](ts::context& ctx, std::int64_t n) {
    const ints a = numbers_below(n, 200);
    const ts::vector<int> x(a, ctx);
    const int shift = 3;
    const auto f = [shift](auto v) { return v * v + shift; };
    std::vector<long long> expected(a.size());
    std::transform_inclusive_scan(a.begin(), a.end(), expected.begin(), std::plus<int>(), f);
    ts::vector<long long> out(n, 0, ctx);
    ts::transform_inclusive_scan(x, out, f);
    CHECK(out.to_host() == expected);
    CHECK(ts::transform_inclusive_scan(x.begin(), x.end(), f).to_host() == ints(expected.begin(), expected.end()));
    std::transform_exclusive_scan(a.begin(), a.end(), expected.begin(), 11, std::plus<int>(), f);
    ts::transform_exclusive_scan(x.begin(), x.end(), out.begin(), f, 11);
    CHECK(out.to_host() == expected);
    CHECK(ts::transform_exclusive_scan(x, f, 11).to_host() == ints(expected.begin(), expected.end()));
    const auto half = ts::host([](int v) { return v / 2; });
    std::transform_inclusive_scan(a.begin(), a.end(), expected.begin(), std::plus<int>(), [](int v) { return v / 2; });
    ts::transform_inclusive_scan(x, out, half);
    CHECK(out.to_host() == expected);
  });
}

TEST_CASE("a scan into its own input, and of part of it, leaves what lies beside it") {
  for_each_size([](ts::context& ctx, std::int64_t n) {
    ints a = numbers_below(n, 1000);
    ts::vector<int> x(a, ctx);
    ts::inclusive_scan(x, x);
    std::inclusive_scan(a.begin(), a.end(), a.begin());
    CHECK(x.to_host() == a);
    ts::exclusive_scan(x.begin(), x.end(), x.begin(), 1, ts::maximum());
    std::exclusive_scan(a.begin(), a.end(), a.begin(), 1, [](int u, int v) { return std::max(u, v); });
    CHECK(x.to_host() == a);
    if (n < 7) return;
    ts::transform_inclusive_scan(x.begin() + 2, x.end() - 1, x.begin() + 2, [](auto v) { return v % 10; });
    std::transform_inclusive_scan(a.begin() + 2, a.end() - 1, a.begin() + 2, std::plus<>(),
                                  [](int v) { return v % 10; });
    CHECK(x.to_host() == a);
    ts::inclusive_scan(x.part(0, 3), x.part(3, 6));
    std::inclusive_scan(a.begin(), a.begin() + 3, a.begin() + 3);
    CHECK(x.to_host() == a);
  });
}

TEST_CASE("operators of scans need not commute nor have an identity") {
  for_each_size([](ts::context& ctx, std::int64_t n) {
    const std::vector<affine_map> a = affine_maps(n);
    const ts::vector<affine_map> x(a, ctx);
    std::vector<affine_map> expected(a.size());
    std::inclusive_scan(a.begin(), a.end(), expected.begin(), then());
    CHECK((ts::inclusive_scan(x, then()).to_host() == expected));
    ts::vector<affine_map> out(n, {}, ctx);
    std::exclusive_scan(a.begin(), a.end(), expected.begin(), affine_map{3, 4}, then());
    ts::exclusive_scan(x, out, affine_map{3, 4}, then());
    CHECK((out.to_host() == expected));
    std::vector<bytes_of_three> small;
    for (const int v : numbers_below(n, 256))
      small.push_back(
          {static_cast<unsigned char>(v), static_cast<unsigned char>(v % 3), static_cast<unsigned char>(v / 3)});
    const ts::vector<bytes_of_three> y(small, ctx);
    std::vector<bytes_of_three> ends(small.size());
    std::inclusive_scan(small.rbegin(), small.rend(), ends.begin(), last_that_counts());
    CHECK((ts::inclusive_scan(views::reverse(y), last_that_counts()).to_host() == ends));
  });
}

TEST_CASE("elements of 24 bytes are scanned in place") {
  for (const char* devices : {"cpu", "cpu*3"}) {  // a chunk of them is more than hostile memory
    ts::context ctx(calm(devices));
    const std::int64_t n = 12'305;
    std::vector<wide_element> wide;
    for (const int v : numbers_below(n, 1000)) wide.push_back({static_cast<double>(v), v, v + 1});
    ts::vector<wide_element> z(wide, ctx);
    std::inclusive_scan(wide.begin(), wide.end(), wide.begin(), joined());
    ts::inclusive_scan(z, z, joined());
    CHECK((z.to_host() == wide));
  }
}

TEST_CASE("functions of the host are operators of scans, also where the output has another type") {
  for_each_size([](ts::context& ctx, std::int64_t n) {
    const ints a = numbers_below(n, 1000);
    const ts::vector<int> x(a, ctx);
    const auto add = ts::host([](int u, int v) { return u + v; });
    ints expected(a.size());
    std::exclusive_scan(a.rbegin(), a.rend(), expected.begin(), 9);
    CHECK(ts::exclusive_scan(views::reverse(x), 9, add).to_host() == expected);
    ts::vector<double> out(n, 0.0, ctx);
    std::inclusive_scan(a.begin(), a.end(), expected.begin());
    ts::inclusive_scan(x, out, add);
    CHECK(out.to_host() == std::vector<double>(expected.begin(), expected.end()));
  });
}

TEST_CASE("scans of floats have the same bits on any devices and ranks") {
  std::vector<float> a;
  for (const int v : numbers_below(30'011, 1 << 20)) a.push_back(static_cast<float>(v) / 7);
  const auto program = [&](ts::context& ctx) {
    const ts::vector<float> x(a, ctx);
    return ts::transform_inclusive_scan(views::reverse(x), [](auto v) { return v * 0.1f; }).to_host();
  };
  ts::context alone(quiet("cpu"));
  const std::vector<float> expected = program(alone);
  for_each_context([&](ts::context& ctx) { CHECK(program(ctx) == expected); });
  for (const int ranks : {2, 3})
    on_ranks(ranks, ranks == 2 ? "cpu*2" : "cpu",
             [&](ts::context& ctx) { require(program(ctx) == expected, "a rank has other bits"); });
}

TEST_CASE("a scan moves one value per chunk, and none of its elements") {
  ts::context ctx(calm("cpu*3"));
  const std::int64_t n = 3 * 16 * 4096;
  const ts::vector<int> x(numbers_below(n, 100), ctx);
  ts::vector<int> out(n, 0, ctx);
  ts::inclusive_scan(x, out);
  movement during(ctx);
  ts::inclusive_scan(x, out);
  const std::int64_t chunks = n / 4096;
  CHECK(during.moved().device_to_device_bytes <= 3 * chunks * 4);
}

TEST_CASE("outputs of scans that do not fit, or that share other elements with an input, are refused") {
  ts::context ctx(quiet("cpu"));
  ts::vector<int> x(6, 1, ctx), y(5, 1, ctx);
  CHECK_THROWS_WITH_AS(ts::inclusive_scan(x, y), doctest::Contains("an output of 5 elements for 6"),
                       ts::argument_error);
  CHECK_THROWS_WITH_AS(ts::inclusive_scan(views::reverse(x), x), doctest::Contains("the output is also"),
                       ts::argument_error);
  CHECK_THROWS_WITH_AS(ts::exclusive_scan(x.begin(), x.begin() + 4, x.begin() + 1, 0),
                       doctest::Contains("the output is also"), ts::argument_error);
  ts::matrix<int> m(4, 4, 1, ctx);
  CHECK_THROWS_WITH_AS(ts::inclusive_scan(x.part(0, 4), m.column(1)), doctest::Contains("a box with gaps"),
                       ts::argument_error);
  ts::inclusive_scan(m, m);
  CHECK(m(3, 3) == 16);
}
