// One name of each mechanism on elements whose places need more than 32 bits. Expected values come from formulas.
#include <algorithm>

#include "tests/algo/algorithm/support.h"

using namespace tessera::support;
namespace views = ts::views;

namespace {

using byte = std::uint8_t;
constexpr std::int64_t cycle = 251;  // element i is i % cycle

/// How many of n elements are below `value`.
std::int64_t count_below(std::int64_t n, std::int64_t value) { return n / cycle * value + std::min(n % cycle, value); }

/// The sum of the first n elements.
std::int64_t sum_of(std::int64_t n) {
  const std::int64_t rest = n % cycle;
  return n / cycle * (cycle * (cycle - 1) / 2) + rest * (rest - 1) / 2;
}

/// Places around those where an index of 31 or 32 bits would wrap, and around a few others.
std::vector<std::int64_t> places_of(std::int64_t n) {
  std::vector<std::int64_t> all;
  for (const std::int64_t at : {std::int64_t{0}, n / 3, n / 2, std::int64_t{1} << 31, std::int64_t{1} << 32, n - 1})
    for (std::int64_t k = at - 2; k <= at + 2; ++k)
      if (k >= 0 && k < n) all.push_back(k);
  return all;
}

template <class Value>
void check_places(const ts::vector<byte>& v, std::int64_t size, Value value) {
  REQUIRE(static_cast<std::int64_t>(v.size()) == size);
  for (const std::int64_t at : places_of(size)) {
    CAPTURE(at);
    CHECK(v[at] == static_cast<byte>(value(at)));
  }
}

void check_mechanisms(const ts::context& ctx, std::int64_t n) {
  ts::vector<byte> v(n, byte{0}, ctx);
  ts::tabulate(v, [](auto i) { return ts::sym<byte>(i % 251); });
  check_places(v, n, [](std::int64_t i) { return i % cycle; });
  CHECK(ts::reduce<std::int64_t>(v).get() == sum_of(n));
  check_places(ts::inclusive_scan(v), n, [](std::int64_t i) { return sum_of(i + 1); });
  check_places(ts::copy_if(v, [](auto x) { return x != byte{3}; }), n - (count_below(n, 4) - count_below(n, 3)),
               [](std::int64_t k) { return k % (cycle - 1) + (k % (cycle - 1) >= 3 ? 1 : 0); });
  check_places(ts::gather(views::counting(std::int64_t{0}, n) | views::transform([n](auto i) { return n - 1 - i; }), v),
               n, [n](std::int64_t i) { return (n - 1 - i) % cycle; });
  const auto runs = views::counting(std::int64_t{0}, n) | views::transform([](auto i) { return i / 37; });
  const auto [keys, sums] = ts::reduce_by_key(runs, v);
  check_places(sums, (n + 36) / 37, [n](std::int64_t k) { return sum_of(std::min(37 * k + 37, n)) - sum_of(37 * k); });
  CHECK(keys.back() == (n - 1) / 37);
  ts::sort(v);
  check_places(v, n, [n](std::int64_t k) {
    std::int64_t value = 0;
    while (count_below(n, value + 1) <= k) ++value;
    return value;
  });
}

}  // namespace

TEST_CASE("elements of each mechanism are where formulas say") {
  for (const char* devices : {"cpu", "cpu*3"}) {
    CAPTURE(devices);
    check_mechanisms(ts::context(with_room(cut_everywhere(devices), 1 << 20)), 100'003);
  }
}

TEST_CASE("containers of four times the memory of all devices") {
  ts::options settings = quiet("cpu*2");
  settings.small = 0;
  settings.device_memory = settings.host_memory = (256 << 10) * page_factor();
  const ts::context ctx(settings);
  check_mechanisms(ctx, 4 * 2 * (256 << 10) * page_factor());
  CHECK(ctx.stats().evictions > 0);
}

// For GPUs: on CPUs it takes minutes.
TEST_CASE("more elements than 32 bits count" * doctest::skip()) {
  for (const char* devices : {"cpu", "cpu*2"}) {
    CAPTURE(devices);
    check_mechanisms(ts::context(quiet(devices)), (std::int64_t{1} << 32) + 5);
  }
}
