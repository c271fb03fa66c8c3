// What Thrust's spellings do beyond the names: launches, iterators of every kind, devices and ranks, bad input.
#include <doctest/doctest.h>
#include <tessera/thrust.h>

#include <numeric>
#include <string>
#include <vector>

#include "tests/algo/algorithm/support.h"

using namespace tessera::support;
using namespace thrust::placeholders;
using tessera::support::numbers_below;

// clang-format off
namespace spelled {
TS_DEVICE(
struct three { unsigned char a, b, c; };
struct wide { double x; long long n; int k; };
struct to_wide { wide operator()(three t) const { return {t.a + 0.5, t.b * 1000ll, t.c}; } };
struct by_x { bool operator()(wide a, wide b) const { return a.x < b.x; } };
struct clamped {
  int lo, hi;
  void operator()(int& x) const { while (x < lo) x += 3; if (x > hi) x = hi; }
};
struct move_by { void operator()(thrust::tuple<float&, const float&, int&> p) const {
  thrust::get<0>(p) += thrust::get<1>(p);
  thrust::get<2>(p)++;
} };
struct only_reads { void operator()(thrust::tuple<const int&, int&> p) const { thrust::get<1>(p) = thrust::get<0>(p); } };)
struct no_text { int operator()(int x) const { return x; } };
}  // namespace spelled
// clang-format on

namespace {

using namespace spelled;
using ints = std::vector<int>;

/// Calls `body(n)`, with a default context of one device and of several, for sizes around nothing, the devices and a
/// few blocks.
template <class Body>
void for_each_size(Body body) {
  for_each_context(
      [&](ts::context& ctx) {
        ts::set_default_context(ctx);
        for (const std::int64_t n : {0, 1, 2, 3, 7, 8, 4099}) {
          CAPTURE(n);
          body(n);
        }
      },
      1 << 18);
}

}  // namespace

TEST_CASE("chains of iterators give what a loop gives, for every size") {
  for_each_size([](std::int64_t n) {
    const ints a = numbers_below(n, 1000), b = numbers_below(n, 1000, 5);
    thrust::device_vector<int> x(a), y(b), out(n);
    const auto zipped = thrust::make_zip_iterator(x.begin(), y.rbegin());
    const auto mixed =
        thrust::make_transform_iterator(zipped, [](auto t) { return thrust::get<0>(t) - 2 * thrust::get<1>(t); });
    CHECK(thrust::copy(mixed, mixed + n, thrust::make_reverse_iterator(out.end())) ==
          std::make_reverse_iterator(out.begin()));
    ints expected(a.size());
    for (std::size_t k = 0; k < a.size(); ++k) expected[a.size() - 1 - k] = a[k] - 2 * b[a.size() - 1 - k];
    CHECK(out.to_host() == expected);
    CHECK(thrust::reduce(mixed, mixed + n, 3) == std::accumulate(expected.begin(), expected.end(), 3));
    thrust::inclusive_scan(mixed, mixed + n, out.begin(), thrust::minimum<int>());
    std::inclusive_scan(expected.rbegin(), expected.rend(), expected.rbegin(),
                        [](int u, int v) { return std::min(u, v); });
    CHECK(out.to_host() == ints(expected.rbegin(), expected.rend()));
    if (n > 0) CHECK(mixed[n - 1] == a.back() - 2 * b.front());
  });
}

TEST_CASE("what is kept of zipped iterators is written to all of them") {
  for_each_size([](std::int64_t n) {
    const ints a = numbers_below(n, 10), b = numbers_below(n, 10, 5);
    thrust::device_vector<int> x(a), u(n), v(n);
    thrust::device_vector<double> y(b.begin(), b.end());
    const auto first = thrust::make_zip_iterator(x.begin(), y.begin());
    const auto out = thrust::make_zip_iterator(u.begin(), v.begin());
    const auto end =
        thrust::copy_if(first, first + n, out, [](auto t) { return thrust::get<0>(t) > thrust::get<1>(t); });
    ints left, right;
    for (std::size_t k = 0; k < a.size(); ++k)
      if (a[k] > b[k]) left.push_back(a[k]), right.push_back(b[k]);
    CHECK(end - out == std::ssize(left));
    u.resize(end - out), v.resize(end - out);
    CHECK(u.to_host() == left);
    CHECK(v.to_host() == right);
  });
}

TEST_CASE("elements of the host are taken and given back by every algorithm") {
  for_each_size([](std::int64_t n) {
    thrust::host_vector<int> h(numbers_below(n, 100)), map(h.size()), out(h.size());
    const ints before = h;
    thrust::sequence(map.begin(), map.end(), static_cast<int>(n) - 1, -1);
    thrust::scatter(thrust::device, h.begin(), h.end(), map.begin(), thrust::device_vector<int>(n).begin());
    thrust::transform(h.begin(), h.end(), map.begin(), out.begin(), _1 + 2 * _2);
    for (std::size_t k = 0; k < before.size(); ++k)
      CHECK(out[k] == before[k] + 2 * static_cast<int>(before.size() - 1 - k));
    thrust::sort_by_key(h.begin(), h.end(), map.begin());
    CHECK(std::is_sorted(h.begin(), h.end()));
    h.erase(thrust::unique(h.begin(), h.end()), h.end());
    CHECK(std::adjacent_find(h.begin(), h.end()) == h.end());
    const int* raw = before.data();
    CHECK(thrust::count_if(raw, raw + n, _1 < 50) ==
          std::count_if(before.begin(), before.end(), [](int v) { return v < 50; }));
  });
}

TEST_CASE("for_each changes elements, and members of zipped ones, that a functor takes by reference") {
  for_each_size([](std::int64_t n) {
    const ints a = numbers_below(n, 100);
    thrust::device_vector<int> x(a), moves(n);
    CHECK(thrust::for_each(x.begin(), x.end(), clamped{20, 70}) == x.end());
    ints expected = a;
    for (int& v : expected) clamped{20, 70}(v);
    CHECK(x.to_host() == expected);
    thrust::device_vector<float> position(n, 1.f);
    const thrust::device_vector<float> speed(n, 0.5f);
    const auto particles = thrust::make_zip_iterator(position.begin(), speed.begin(), moves.begin());
    thrust::for_each(particles, particles + n, move_by());
    thrust::for_each_n(particles, n / 2, [](auto p) {
      thrust::get<0>(p) += 2 * thrust::get<1>(p);
      thrust::get<0>(p) = -thrust::get<0>(p);
      thrust::get<2>(p) = 5;
    });
    for (std::int64_t k = 0; k < n; ++k) {
      CHECK(position[k] == (k < n / 2 ? -2.5f : 1.5f));
      CHECK(moves[k] == (k < n / 2 ? 5 : 1));
    }
    thrust::for_each(moves.begin(), moves.end(), TS_FN([](int& m) {
                       for (int k = 0; k < 3; ++k) m *= 2;
                     }));
    if (n > 0) CHECK(moves.back() == 8);
    ints seen;
    thrust::for_each(x.begin(), x.end(), ts::host([&seen](int v) { seen.push_back(v); }));
    CHECK(seen == expected);
  });
}

TEST_CASE("structs of three and of 24 bytes go through iterators, sorts and scatters") {
  for_each_size([](std::int64_t n) {
    std::vector<three> small;
    for (const int v : numbers_below(n, 200)) small.push_back({static_cast<unsigned char>(v), 2, 3});
    thrust::device_vector<three> x(small);
    thrust::device_vector<wide> y(n), z(n);
    thrust::transform(x.begin(), x.end(), y.begin(), to_wide());
    thrust::sort(y.begin(), y.end(), by_x());
    CHECK(thrust::is_sorted(y.begin(), y.end(), by_x()));
    const auto backwards =
        thrust::make_transform_iterator(thrust::make_counting_iterator(0), static_cast<int>(n) - 1 - _1);
    thrust::scatter(y.begin(), y.end(), backwards, z.begin());
    thrust::reverse(z.begin(), z.end());
    const std::vector<wide> sorted = y.to_host(), turned = z.to_host();
    bool equal = true;
    for (std::size_t k = 0; k < sorted.size(); ++k) equal = equal && sorted[k].x == turned[k].x && turned[k].n == 2000;
    CHECK(equal);
  });
}

TEST_CASE("a chain of iterators is one launch, and moves nothing where vectors are aligned") {
  ts::context ctx(calm("cpu*3"));
  ts::set_default_context(ctx);
  const std::int64_t n = 30000;
  thrust::device_vector<float> x(n, 1.f), y(n, 2.f), u(n), v(n);
  const auto first = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin()));
  const auto chain = thrust::make_transform_iterator(
      thrust::make_transform_iterator(first, [](auto t) { return thrust::get<0>(t) + thrust::get<1>(t); }), _1 * 2.f);
  const auto out = thrust::make_zip_iterator(u.begin(), v.begin());
  const auto run = [&] {
    thrust::transform(chain, chain + n, y.begin(), out,
                      [](auto a, auto b) { return thrust::make_tuple(a + b, a - b); });
  };
  run();
  movement seen(ctx);
  run();
  const auto moved = seen.moved();
  CHECK(moved.launches == 1);
  CHECK(moved.device_to_device_bytes == 0);
  CHECK(u[n - 1] == 8);
  CHECK(v[0] == 4);
}

TEST_CASE("sums of floats have the same bits on any devices") {
  const std::int64_t n = 100003;
  std::vector<float> a;
  for (const int v : numbers_below(n, 1 << 20)) a.push_back(static_cast<float>(v) / 7);
  std::vector<float> sums;
  std::vector<std::vector<float>> scans;
  for_each_context([&](ts::context& ctx) {
    ts::set_default_context(ctx);
    thrust::device_vector<float> x(a), out(n);
    sums.push_back(thrust::reduce(x.begin(), x.end(), 0.25f));
    thrust::exclusive_scan(x.begin(), x.end(), out.begin(), 0.25f);
    scans.push_back(out.to_host());
  });
  REQUIRE(sums.size() >= 2);
  for (const float sum : sums) CHECK(sum == sums[0]);
  for (const std::vector<float>& scan : scans) CHECK(scan == scans[0]);
}

TEST_CASE("vectors of a context of their own, and simulated ranks") {
  const ints a = numbers_below(5003, 50), b = numbers_below(5003, 1000, 3);
  const auto program = [&](ts::context& ctx) {
    thrust::device_vector<int> keys(ts::vector<int>(a, ctx)), values(ts::vector<int>(b, ctx)),
        sums(ts::vector<int>(5003, 0, ctx));
    const auto doubled = thrust::make_transform_iterator(values.begin(), _1 * 2);
    thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
    const auto ends =
        thrust::reduce_by_key(keys.begin(), keys.end(), doubled, thrust::make_discard_iterator(), sums.begin());
    sums.resize(ends.second - sums.begin());
    const int all = thrust::reduce(keys.begin(), keys.end());
    ints result = sums.to_host();
    result.push_back(all);
    return result;
  };
  ts::context alone(quiet("cpu"));
  const ints expected = program(alone);
  CHECK(expected.size() == 51);
  CHECK(expected.back() == std::accumulate(a.begin(), a.end(), 0));
  for (const int ranks : {2, 3})
    on_ranks(ranks, "cpu*2", [&](ts::context& ctx) { require(program(ctx) == expected, "a rank has another result"); });
}

TEST_CASE("what is wrong is told with the program's line") {
  const ts::context ctx(quiet("cpu"));
  ts::set_default_context(ctx);
  thrust::device_vector<int> x(10, 1);
  const thrust::device_vector<int> fixed(10, 1);
  CHECK_THROWS_WITH_AS(thrust::transform(thrust::device, x.begin(), x.end(), x.begin(), no_text()),
                       doctest::Contains("thrust_test.cpp:"), ts::argument_error);
  CHECK_THROWS_WITH_AS(thrust::transform(x.begin(), x.end(), x.begin(), no_text()),
                       doctest::Contains("'spelled::no_text' has no device text: put it in TS_DEVICE(...)"),
                       ts::argument_error);
  const auto into_fixed = thrust::make_zip_iterator(x.begin(), fixed.begin());
  CHECK_THROWS_WITH_AS(thrust::for_each(into_fixed, into_fixed + 10, only_reads()),
                       doctest::Contains("the function changes an element that no container has (2 of 2)"),
                       ts::argument_error);
  CHECK_THROWS_WITH_AS(thrust::copy(x.begin() + 1, x.end(), x.begin()), doctest::Contains("the output is also"),
                       ts::argument_error);
  CHECK_THROWS_WITH_AS(thrust::copy_if(x.begin(), x.end(), thrust::device_vector<int>(3).begin(), _1 == 1),
                       doctest::Contains("thrust_test.cpp:"), ts::argument_error);
  CHECK_THROWS_AS(thrust::transform(x.begin(), x.end(), thrust::device_vector<int>(3).begin(), _1 + 1),
                  ts::argument_error);
}
