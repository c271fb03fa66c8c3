// Where elements rest: parts of any sizes, made even again or like those of another vector.
#include "tests/algo/algorithm/support.h"

#include <numeric>

using namespace tessera::support;

namespace {

using ints = std::vector<int>;
using sizes = std::vector<std::int64_t>;

/// How many elements of `v` rest on each device.
sizes sizes_of(const ts::vector<int>& v, std::size_t devices) {
  sizes all(devices);
  for (const auto& p : v.layout()) all[static_cast<std::size_t>(p.device)] += p.bounds.volume();
  return all;
}

/// A vector whose elements are with their devices, and nowhere else.
ts::vector<int> computed(const ts::context& ctx, const sizes& parts) {
  const std::int64_t n = std::accumulate(parts.begin(), parts.end(), std::int64_t{0});
  ts::vector<int> v(n, 0, {ctx, ts::part_sizes(parts)});
  ts::sequence(v);
  return v;
}

ints counted_to(std::int64_t n) {
  ints all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

TEST_CASE("values of the host come to parts of given sizes, each to its device alone") {
  ts::context ctx(calm("cpu*3"));
  const ints values = counted_to(50'000);
  ts::vector<int> v = ts::from_parts(values, {49'000, 0, 1'000}, ctx);
  CHECK(sizes_of(v, 3) == sizes{49'000, 0, 1'000});
  movement sent(ctx);
  v.update_device();
  ts::replace(v, 3, 4);
  const ts::statistics moved = sent.moved();
  CHECK(moved.device_to_device_bytes == 0);
  CHECK(moved.host_to_device_bytes == 50'000 * 4);
  CHECK(v[3] == 4);
  CHECK(ts::from_parts<int>(ints{}, {}, ctx).empty());
  const ts::vector<int> copy = v;
  CHECK(sizes_of(copy, 3) == sizes_of(v, 3));
}

TEST_CASE("rebalance moves what changes its device, and nothing else") {
  ts::context ctx(calm("cpu*3"));
  const std::int64_t n = 3 * 5 * 4096, part = n / 3;
  ts::vector<int> v = computed(ctx, {n - 100, 0, 100});
  movement evened(ctx);
  ts::rebalance(v);
  // Device 0 keeps its third; device 1 gets one; device 2 has 100 elements of its own.
  CHECK(evened.moved().device_to_device_bytes == (part + part - 100) * 4);
  CHECK(sizes_of(v, 3) == sizes{part, part, part});
  movement again(ctx);
  ts::rebalance(v);
  CHECK(again.moved().launches == 0);

  const ts::vector<char> like(n, 'a', {ctx, ts::part_sizes({part, part + 77, part - 77})});
  movement shifted(ctx);
  ts::rebalance_like(v, like);
  CHECK(shifted.moved().device_to_device_bytes == 77 * 4);
  CHECK(sizes_of(v, 3) == sizes{part, part + 77, part - 77});
  ts::rebalance(v, ts::part_sizes({0, 0, n}));
  CHECK(sizes_of(v, 3) == sizes{0, 0, n});
  CHECK(v.to_host() == counted_to(n));
  v.push_back(5);
  CHECK(v.size() == n + 1);
  CHECK(v.back() == 5);
}

TEST_CASE("what the host has changed is rebalanced, too, and iterators end") {
  for_each_context([](ts::context& ctx) {
    const auto devices = ctx.devices().size();
    for (const std::int64_t n : {0, 1, 5, 9001}) {
      ts::vector<int> v(counted_to(n), ctx);
      ts::rebalance(v);
      sizes parts(devices);
      parts.back() = n;
      ts::rebalance(v, ts::part_sizes(parts));
      ints expected = counted_to(n);
      if (n > 1) {
        ts::replace(v, 1, 7);
        v[0] = 9;
        expected[0] = 9, expected[1] = 7;
      }
      ts::rebalance(v);
      if (n > 0) v[n - 1] = expected.back() = 11;
      CHECK(v.to_host() == expected);
      CHECK(ts::copy_if(v, [](auto x) { return x == 11; }).size() == (n == 0 ? 0 : 1 + (n > 11 && n != 12 ? 1 : 0)));
    }
  });
}

TEST_CASE("kept elements are made even, and each rank gives and gets its own of uneven parts") {
  for (const int ranks : {2, 3})
    on_ranks(ranks, "cpu*2", [&](ts::context& ctx) {
      const std::int64_t n = ranks * 2 * 4096;
      ts::vector<int> v(n, 0, ctx);
      ts::sequence(v);
      ts::vector<int> few = ts::copy_if(v, [](auto x) { return x >= 4000; });
      require(few.layout().front().bounds.volume() == 96, "the first device has few");
      std::int64_t own = 0;
      for (const ts::box& b : few.own_boxes()) own += b.volume();
      {
        const auto local = few.local(ts::readwrite);
        require(static_cast<std::int64_t>(local.size()) == own, "own elements");
        for (int& x : local) x = -x;
      }
      std::vector<int> mine(static_cast<std::size_t>(own), ctx.rank());
      ts::vector<int> given = few;
      given.from_own(mine);
      ts::rebalance(few);
      ints expected = counted_to(n);
      expected.erase(expected.begin(), expected.begin() + 4000);
      for (int& x : expected) x = -x;
      require(few.to_host() == expected, "elements of the rebalanced vector");
      const ints got = given.to_host();
      require(got.front() == 0 && got.back() == ranks - 1, "elements that each rank gave");
    });
}

TEST_CASE("parts that are not those of the vector are refused") {
  ts::context ctx(quiet("cpu*3"));
  const ints values = counted_to(10);
  CHECK_THROWS_WITH_AS((void)ts::from_parts(values, {5, 4}, ctx),
                       doctest::Contains("the parts have 9 elements, the vector has 10"), ts::argument_error);
  CHECK_THROWS_WITH_AS((void)ts::from_parts(values, {5, 0, 1, 4}, ctx),
                       doctest::Contains("a part is for device 3; the context has 0 to 2"), ts::argument_error);
  CHECK_THROWS_WITH_AS((void)ts::part_sizes({5, -1}), doctest::Contains("a part of -1 elements"), ts::argument_error);
  ts::vector<int> v(values, ctx), w(9, 0, ctx);
  CHECK_THROWS_WITH_AS(ts::rebalance_like(v, w), doctest::Contains("parts_test.cpp"), ts::argument_error);
  const auto held = v.host(ts::read);
  ts::rebalance(w);
}
