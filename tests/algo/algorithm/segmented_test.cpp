// Reductions and scans of segments that offsets tell, against plain loops.
#include "tests/algo/algorithm/support.h"

#include <algorithm>
#include <functional>
#include <span>

using namespace tessera::support;
namespace views = ts::views;

TS_DEVICE(
    struct running_extent {
  double sum;
  long long least, most;
    };
    struct extent_joined {
      running_extent operator()(running_extent x, running_extent y) const {
        return {x.sum + y.sum, x.least < y.least ? x.least : y.least, x.most < y.most ? y.most : x.most};
}
}
;)

static bool operator==(const running_extent& x, const running_extent& y) {
  return x.sum == y.sum && x.least == y.least && x.most == y.most;
}

namespace {

using ints = std::vector<int>;
using offsets_list = std::vector<std::int64_t>;
constexpr std::int64_t room = 256 << 10;  // a chunk of flags, values and results

/// Offsets of segments of 0 to `longest` elements that lie in `n`, and leave out a few at both ends.
offsets_list offsets_within(std::int64_t n, std::int64_t longest) {
  offsets_list offsets{n / 50};
  const std::int64_t end = n - n / 70;
  for (std::int64_t k = 0; offsets.back() < end; ++k) {
    const std::int64_t length = longest == 0 ? end : (k * 7919 + 3) % (longest + 1);
    offsets.push_back(std::min(end, offsets.back() + length));
    if (k % 5 == 0) offsets.push_back(offsets.back());
  }
  return offsets;
}

template <class T, class Combine>
std::vector<T> reduced(const std::vector<T>& values, const offsets_list& offsets, T start, Combine combine) {
  std::vector<T> out;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    T sum = start;
    for (std::int64_t i = offsets[s]; i < offsets[s + 1]; ++i) sum = combine(sum, values[static_cast<std::size_t>(i)]);
    out.push_back(sum);
  }
  return out;
}

ints scanned(const ints& values, const offsets_list& offsets, bool exclusive, int start) {
  ints out(values.size());
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    int sum = start;
    for (std::int64_t i = offsets[s]; i < offsets[s + 1]; ++i) {
      const auto k = static_cast<std::size_t>(i);
      if (exclusive) out[k] = sum;
      sum += values[k];
      if (!exclusive) out[k] = sum;
    }
  }
  return out;
}

template <class Body>
void for_each_size(Body body) {
  for_each_context(
      [&](ts::context& ctx) {
        for (const std::int64_t n : {0, 1, 7, 300, 4097, 20'003})
          for (const std::int64_t longest : {0, 1, 40, 70, 5000}) {
            CAPTURE(n);
            CAPTURE(longest);
            body(ctx, n, longest);
          }
      },
      room);
}

}  // namespace

TEST_CASE("segments are reduced behind a start, also empty ones and those of many pieces") {
  for_each_size([](ts::context& ctx, std::int64_t n, std::int64_t longest) {
    const ints a = numbers_below(n, 1000);
    const offsets_list offsets = offsets_within(n, longest);
    const ts::vector<int> x(a, ctx);
    CHECK(ts::segmented_reduce(x, offsets).to_host() == reduced(a, offsets, 0, std::plus<>()));
    CHECK(ts::segmented_reduce(x.begin(), x.end(), std::span(offsets), 7).to_host() ==
          reduced(a, offsets, 7, std::plus<>()));
    const auto largest = [](int u, int v) { return std::max(u, v); };
    ts::vector<int> out(std::ssize(offsets) - 1, -1, ctx);
    ts::segmented_reduce(x, ts::vector<std::int64_t>(offsets, ctx), out, 500, ts::maximum());
    CHECK(out.to_host() == reduced(a, offsets, 500, largest));
    ts::vector<double> wide(out.size(), 0.0, ctx);
    ts::segmented_reduce(x | views::transform([](auto v) { return 3 * v; }), offsets, wide.begin(), 2);
    ints tripled;
    for (const int v : a) tripled.push_back(3 * v);
    const ints sums = reduced(tripled, offsets, 2, std::plus<>());
    CHECK(wide.to_host() == std::vector<double>(sums.begin(), sums.end()));
    const ints turned(a.rbegin(), a.rend());
    CHECK(ts::segmented_reduce(views::reverse(x), offsets).to_host() == reduced(turned, offsets, 0, std::plus<>()));
  });
}

TEST_CASE("segments are scanned, and what lies in none stays") {
  for_each_size([](ts::context& ctx, std::int64_t n, std::int64_t longest) {
    const ints a = numbers_below(n, 1000);
    const offsets_list offsets = offsets_within(n, longest);
    const ts::vector<int> x(a, ctx);
    CHECK(ts::segmented_scan(x, offsets).to_host() == scanned(a, offsets, false, 0));
    CHECK(ts::segmented_exclusive_scan(x.begin(), x.end(), offsets, 4).to_host() == scanned(a, offsets, true, 4));
    ts::vector<int> out = x;
    ts::segmented_scan(out, offsets, out);
    ints expected = scanned(a, offsets, false, 0);
    for (std::size_t k = 0; k < a.size(); ++k)
      if (static_cast<std::int64_t>(k) < offsets.front() || static_cast<std::int64_t>(k) >= offsets.back())
        expected[k] = a[k];
    CHECK(out.to_host() == expected);
  });
}

TEST_CASE("elements of 24 bytes and functions of the host are combined in segments") {
  for_each_context(
      [](ts::context& ctx) {
        const std::int64_t n = 9001;
        std::vector<running_extent> a;
        for (const int v : numbers_below(n, 1000)) a.push_back({static_cast<double>(v), v, v});
        const offsets_list offsets = offsets_within(n, 3000);
        const ts::vector<running_extent> x(a, ctx);
        const running_extent start{1, 1 << 20, 0};
        const auto expected = reduced(a, offsets, start, extent_joined());
        CHECK((ts::segmented_reduce(x, offsets, start, extent_joined()).to_host() == expected));
        const auto on_host = ts::host([](running_extent u, running_extent v) { return extent_joined()(u, v); });
        CHECK((ts::segmented_reduce(x, offsets, start, on_host).to_host() == expected));
        const ints b = numbers_below(n, 1000);
        const ts::vector<int> y(b, ctx);
        const auto add = ts::host([](int u, int v) { return u + v; });
        CHECK(ts::segmented_reduce(views::reverse(y), offsets, 1, add).to_host() ==
              reduced(ints(b.rbegin(), b.rend()), offsets, 1, std::plus<>()));
        CHECK(ts::segmented_scan(y, offsets, add).to_host() == scanned(b, offsets, false, 0));
      },
      room);
}

TEST_CASE("sums of segments have the same bits on any devices and ranks, with functions of the host, too") {
  std::vector<float> a;
  for (const int v : numbers_below(30'011, 1 << 20)) a.push_back(static_cast<float>(v) / 7);
  const offsets_list offsets = offsets_within(30'011, 9000);
  const auto program = [&](ts::context& ctx) {
    return ts::segmented_reduce(ts::vector<float>(a, ctx), offsets).to_host();
  };
  ts::context alone(calm("cpu"));
  const std::vector<float> expected = program(alone);
  for_each_context([&](ts::context& ctx) { CHECK(program(ctx) == expected); });
  on_ranks(3, "cpu*2", [&](ts::context& ctx) { require(program(ctx) == expected, "a rank has other bits"); });
  const auto add = ts::host([](float u, float v) { return u + v; });
  if (!on_gpu()) CHECK(ts::segmented_reduce(ts::vector<float>(a, alone), offsets, 0, add).to_host() == expected);
}

TEST_CASE("only elements of segments that lie over a border move") {
  ts::context ctx(calm("cpu*3"));
  const std::int64_t n = 3 * 16 * 4096;
  const ts::vector<int> x(numbers_below(n, 100), ctx);
  offsets_list offsets;
  for (std::int64_t at = 0; at <= n; at += 96) offsets.push_back(at);  // 4096 is no multiple of it
  ts::vector<int> out(std::ssize(offsets) - 1, 0, ctx);
  ts::segmented_reduce(x, offsets, out);
  movement during(ctx);
  ts::segmented_reduce(x, offsets, out);
  CHECK(during.moved().device_to_device_bytes <= 2 * 16384 * 4);  // of two thread blocks
}

TEST_CASE("offsets of segments that do not ascend or lie outside, and outputs that do not fit, are refused") {
  ts::context ctx(quiet("cpu"));
  ts::vector<int> x(6, 1, ctx), y(3, 0, ctx);
  CHECK_THROWS_WITH_AS(ts::segmented_reduce(x, offsets_list{0, 3, 2, 6}, y),
                       doctest::Contains("offset 2 is 2, but the one before it 3"), ts::argument_error);
  CHECK_THROWS_WITH_AS(static_cast<void>(ts::segmented_scan(x, offsets_list{0, 7})),
                       doctest::Contains("offset 1 is 7, but there are 6 elements"), ts::argument_error);
  CHECK_THROWS_WITH_AS(ts::segmented_reduce(x, offsets_list{0, 6}, y),
                       doctest::Contains("an output of the shape {3} for 1 segments"), ts::argument_error);
  CHECK_THROWS_WITH_AS(static_cast<void>(ts::segmented_reduce(x, offsets_list{})), doctest::Contains("none is given"),
                       ts::argument_error);
  CHECK_THROWS_WITH_AS(ts::segmented_reduce(x, offsets_list{0, 1, 2, 6}, x.part(0, 3)),
                       doctest::Contains("the output is also an input"), ts::argument_error);
  CHECK(ts::segmented_reduce(x, offsets_list{2}).size() == 0);
}
