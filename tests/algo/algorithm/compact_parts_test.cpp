// Where kept elements rest, and what moves.
#include <algorithm>
#include <iterator>

#include "tests/algo/algorithm/support.h"

using namespace tessera::support;

namespace {

using ints = std::vector<int>;

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
  ints expected;
  std::copy_if(a.begin(), a.end(), std::back_inserter(expected), [](int v) { return v < 300; });
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
