// Scans of segments of equal keys, against plain loops.
#include "tests/algo/algorithm/support.h"

#include <algorithm>
#include <functional>

using namespace tessera::support;
namespace views = ts::views;

// Affine maps of integers modulo 2^32, whose composition does not commute.
TS_DEVICE(
    struct linear_step {
  unsigned a, b;
    };
    struct step_then {
      linear_step operator()(linear_step f, linear_step g) const { return {g.a * f.a, g.a * f.b + g.b};
}
}
;
struct small_key {
  unsigned char a, b, c;
};
struct same_key {
  bool operator()(small_key x, small_key y) const { return x.a == y.a && x.c == y.c; }
};)

static bool operator==(const linear_step& x, const linear_step& y) {
  return x.a == y.a && x.b == y.b;
}

namespace {

using ints = std::vector<int>;

template <class Keys, class Values, class Same, class Combine>
auto inclusive(const Keys& keys, const Values& values, Same same, Combine combine) {
  Values out;
  for (std::size_t k = 0; k < keys.size(); ++k)
    out.push_back(k > 0 && same(keys[k - 1], keys[k]) ? combine(out.back(), values[k]) : values[k]);
  return out;
}
template <class Keys, class Values, class T, class Same, class Combine>
auto exclusive(const Keys& keys, const Values& values, T start, Same same, Combine combine) {
  Values out;
  for (std::size_t k = 0; k < keys.size(); ++k)
    out.push_back(k > 0 && same(keys[k - 1], keys[k]) ? combine(out.back(), values[k - 1]) : start);
  return out;
}

/// Keys in runs of the lengths 0, 1, ..., `longest`, again and again; one run if `longest` is 0.
ints runs(std::int64_t n, std::int64_t longest) {
  ints keys;
  int key = 0;
  for (std::int64_t length = 0; std::ssize(keys) < n; length = length == longest ? 0 : length + 1, ++key)
    for (std::int64_t k = 0; (k < length || longest == 0) && std::ssize(keys) < n; ++k) keys.push_back(key % 3);
  return keys;
}

constexpr std::int64_t room = 256 << 10;  // a chunk of keys, values and results

template <class Body>
void for_each_size(Body body) {
  for_each_context(
      [&](ts::context& ctx) {
        for (const std::int64_t n : {0, 1, 2, 7, 4096, 4097, 9'001})
          for (const std::int64_t longest : {0, 1, 5, 3000}) {
            CAPTURE(n);
            CAPTURE(longest);
            body(ctx, n, longest);
          }
      },
      room);
}

}  // namespace

TEST_CASE("scans by key of ranges and iterators, into outputs and new vectors") {
  for_each_size([](ts::context& ctx, std::int64_t n, std::int64_t longest) {
    const ints k = runs(n, longest), a = numbers_below(n, 1000);
    const ts::vector<int> keys(k, ctx), x(a, ctx);
    ts::vector<int> out(n, -1, ctx);
    const ints sums = inclusive(k, a, std::equal_to<>(), std::plus<>());
    CHECK(ts::inclusive_scan_by_key(keys, x).to_host() == sums);
    ts::inclusive_scan_by_key(keys.begin(), keys.end(), x.begin(), out.begin());
    CHECK(out.to_host() == sums);
    const ints before = exclusive(k, a, 5, std::equal_to<>(), std::plus<>());
    CHECK(ts::exclusive_scan_by_key(keys, x, 5).to_host() == before);
    ts::exclusive_scan_by_key(keys, x, out, 5);
    CHECK(out.to_host() == before);
    CHECK(ts::exclusive_scan_by_key(keys.begin(), keys.end(), x.begin(), 5).to_host() == before);
    const auto largest = [](int u, int v) { return std::max(u, v); };
    const auto alike = [](auto u, auto v) { return u % 2 == v % 2; };
    CHECK(ts::inclusive_scan_by_key(keys, x, alike, ts::maximum()).to_host() == inclusive(k, a, alike, largest));
    ts::vector<double> wide(n, 0.0, ctx);
    ts::exclusive_scan_by_key(keys, x, wide, 3, ts::equal_to(), ts::maximum());
    const ints most = exclusive(k, a, 3, std::equal_to<>(), largest);
    CHECK(wide.to_host() == std::vector<double>(most.begin(), most.end()));
  });
}

TEST_CASE("scans by key write over their own values") {
  for_each_size([](ts::context& ctx, std::int64_t n, std::int64_t longest) {
    const ints k = runs(n, longest), a = numbers_below(n, 1000);
    const ts::vector<int> keys(k, ctx);
    ts::vector<int> x(a, ctx);
    ts::inclusive_scan_by_key(keys, x, x);
    CHECK(x.to_host() == inclusive(k, a, std::equal_to<>(), std::plus<>()));
  });
}

TEST_CASE("keys and values of scans by key are views, from the last to the first") {
  for_each_size([](ts::context& ctx, std::int64_t n, std::int64_t longest) {
    ints k = runs(n, longest), places;
    const ts::vector<int> segment(k, ctx);
    for (std::int64_t i = n; i-- > 0;) places.push_back(static_cast<int>(i));
    std::reverse(k.begin(), k.end());
    const auto largest = [](int u, int v) { return std::max(u, v); };
    const auto last = ts::inclusive_scan_by_key(views::reverse(segment),
                                                views::reverse(ts::counting(0, static_cast<int>(n))), ts::maximum());
    CHECK(last.to_host() == inclusive(k, places, std::equal_to<>(), largest));
    const auto tens =
        views::reverse(ts::counting(0, static_cast<int>(n))) | views::transform([](auto v) { return v / 10; });
    const auto wanted = [](int u, int v) { return u / 10 == v / 10; };
    CHECK(ts::exclusive_scan_by_key(tens, views::reverse(segment), 2).to_host() ==
          exclusive(places, k, 2, wanted, std::plus<>()));
    if (n < 7) return;
    const ints part(k.begin(), k.end() - 3);
    CHECK(
        ts::inclusive_scan_by_key(views::reverse(segment.part(3, n)), ts::counting(3, static_cast<int>(n))).to_host() ==
        inclusive(
            part,
            [&] {
              ints numbers;
              for (int i = 3; i < n; ++i) numbers.push_back(i);
              return numbers;
            }(),
            std::equal_to<>(), std::plus<>()));
  });
}

TEST_CASE("operators of scans by key need not commute, and keys may be structs") {
  for_each_size([](ts::context& ctx, std::int64_t n, std::int64_t longest) {
    const ints k = runs(n, longest);
    std::vector<linear_step> a;
    for (const int v : numbers_below(n, 1 << 20))
      a.push_back({static_cast<unsigned>(v) | 1u, static_cast<unsigned>(v)});
    std::vector<small_key> own;
    for (const int v : k) own.push_back({static_cast<unsigned char>(v), static_cast<unsigned char>(own.size()), 7});
    const ts::vector<small_key> keys(own, ctx);
    const ts::vector<linear_step> x(a, ctx);
    CHECK((ts::inclusive_scan_by_key(keys, x, same_key(), step_then()).to_host() ==
           inclusive(own, a, same_key(), step_then())));
    CHECK((ts::exclusive_scan_by_key(keys, x, linear_step{3, 4}, same_key(), step_then()).to_host() ==
           exclusive(own, a, linear_step{3, 4}, same_key(), step_then())));
  });
}

TEST_CASE("functions of the host say which keys are equal, and combine values") {
  for_each_context(
      [](ts::context& ctx) {
        const auto same = ts::host([](int u, int v) { return u == v; });
        const auto add = ts::host([](int u, int v) { return u + v; });
        for (const std::int64_t n : {0, 1, 2, 4097}) {
          const ints k = runs(n, 5), a = numbers_below(n, 1000);
          const ts::vector<int> keys(k, ctx), x(a, ctx);
          const ints sums = inclusive(k, a, std::equal_to<>(), std::plus<>());
          CHECK(ts::inclusive_scan_by_key(keys, x, same, ts::plus()).to_host() == sums);
          CHECK(ts::inclusive_scan_by_key(keys, x, add).to_host() == sums);
          CHECK(ts::exclusive_scan_by_key(views::reverse(keys), x, 8, same, add).to_host() ==
                exclusive(ints(k.rbegin(), k.rend()), a, 8, std::equal_to<>(), std::plus<>()));
        }
      },
      room);
}

TEST_CASE("functions of views see elements of the view alone, also in front of the first one") {
  ts::context ctx(cut_everywhere("cpu*3"));
  const ints a = {0, 3, 4, 5, 6, 20, 30};
  const ts::vector<int> x(a, ctx);
  const auto inverse = x.part(1, 7) | views::transform([](auto v) { return 120 / v; });  // of 0 it ends the process
  CHECK(ts::exclusive_scan_by_key(inverse, inverse, 1).to_host() == ints(6, 1));
  CHECK(ts::exclusive_scan_by_key(views::reverse(inverse), views::reverse(inverse), 1).to_host() == ints(6, 1));
}

TEST_CASE("scans by key of floats have the same bits on any devices and ranks") {
  std::vector<float> a;
  for (const int v : numbers_below(20'011, 1 << 20)) a.push_back(static_cast<float>(v) / 7);
  const ints k = runs(20'011, 3000);
  const auto program = [&](ts::context& ctx) {
    const ts::vector<float> x(a, ctx);
    const ts::vector<int> keys(k, ctx);
    return ts::inclusive_scan_by_key(keys, x).to_host();
  };
  ts::context alone(calm("cpu"));
  const std::vector<float> expected = program(alone);
  for_each_context([&](ts::context& ctx) { CHECK(program(ctx) == expected); }, room);
  const auto settings = [](int) { return with_room(quiet("cpu*2"), room); };
  for (const std::string& e : errors_on_ranks(
           3, settings, [&](ts::context& ctx) { require(program(ctx) == expected, "a rank has other bits"); }))
    FAIL_CHECK(e);
}

TEST_CASE("a scan by key moves one key over each border and values with heads per chunk") {
  ts::context ctx(calm("cpu*3"));
  const std::int64_t n = 3 * 16 * 4096;
  const ts::vector<int> x(numbers_below(n, 100), ctx), keys(runs(n, 3000), ctx);
  ts::vector<int> out(n, 0, ctx);
  ts::inclusive_scan_by_key(keys, x, out);
  movement during(ctx);
  ts::inclusive_scan_by_key(keys, x, out);
  const std::int64_t chunks = n / 4096;
  CHECK(during.moved().device_to_device_bytes <= 3 * chunks * 8 + 2 * 2 * 4);
}

TEST_CASE("keys and values of different numbers are refused") {
  ts::context ctx(quiet("cpu"));
  const ts::vector<int> x(6, 1, ctx), y(5, 1, ctx);
  CHECK_THROWS_WITH_AS(static_cast<void>(ts::inclusive_scan_by_key(x, y)),
                       doctest::Contains("ranges of 6 and 5 elements"), ts::argument_error);
}
