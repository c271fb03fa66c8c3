#include "tessera/plan/coherence/reader_list.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

using namespace tessera;
using namespace tessera::plan;

namespace {

box span(std::int64_t lo, std::int64_t hi) { return {{lo}, {hi}}; }

std::set<std::uint64_t> readers_of(const reader_list& list, const box& bounds) {
  std::vector<instruction_id> found;
  list.append_readers(bounds, found);
  std::set<std::uint64_t> result;
  for (const instruction_id i : found) result.insert(i.value);
  return result;
}

}  // namespace

TEST_CASE("a list names at least the readers since the last write, and none whose part was written over") {
  std::mt19937 random(5);
  constexpr std::int64_t side = 12;
  const auto random_box = [&] {
    box b = box::whole({0, 0});
    for (int k = 0; k < 2; ++k) {
      b.lo[k] = static_cast<std::int64_t>(random() % side);
      b.hi[k] = b.lo[k] + 1 + static_cast<std::int64_t>(random() % static_cast<unsigned>(side - b.lo[k]));
    }
    return b;
  };
  for (int round = 0; round < 40; ++round) {
    reader_list list;
    std::map<std::pair<std::int64_t, std::int64_t>, std::set<std::uint64_t>> exact;  // readers of each element
    std::uint64_t next = 1, ended = 0;
    std::size_t more = 0, asked = 0;
    for (int step = 0; step < 300; ++step) {
      const box bounds = random_box();
      const auto each = [&](auto f) {
        for (std::int64_t y = bounds.lo[0]; y < bounds.hi[0]; ++y)
          for (std::int64_t x = bounds.lo[1]; x < bounds.hi[1]; ++x) f(exact[{y, x}]);
      };
      if (random() % 50 == 0) ended = std::max(ended, next - 1 - random() % std::min<std::uint64_t>(next, 20));
      if (random() % 3 != 0) {
        list.add(bounds, instruction_id(next), instruction_id(ended));
        each([&](auto& readers) { readers.insert(next); });
        ++next;
      } else {
        std::set<std::uint64_t> expected;
        each([&](auto& readers) { expected.insert(readers.begin(), readers.end()); });
        expected.erase(expected.begin(), expected.upper_bound(ended));
        std::set<std::uint64_t> found = readers_of(list, bounds);
        found.erase(found.begin(), found.upper_bound(ended));
        for (const std::uint64_t reader : expected) CHECK(found.contains(reader));
        more += found.size() - expected.size();
        asked += expected.size();
        list.erase(bounds);
        each([&](auto& readers) { readers.clear(); });
      }
    }
    CHECK(more <= asked / 2);
  }
}

TEST_CASE("a list grows with the readers that have not ended, not with those that ever were") {
  reader_list list;
  for (std::uint64_t i = 1; i <= 100'000; ++i) {
    const auto lo = static_cast<std::int64_t>(i * 37 % 90'000);
    list.add(span(lo, lo + 4096), instruction_id(i), instruction_id(i < 500 ? 0 : i - 500));
    CHECK_MESSAGE(list.size() <= 1100, i);
    if (list.size() > 1100) return;
  }
  CHECK(readers_of(list, span(0, 100'000)).size() >= 500);
}

TEST_CASE("writes of single elements forget readers that have ended, and keep the others") {
  reader_list list;
  for (std::uint64_t i = 1; i <= 2000; ++i) list.add(span(0, 100), instruction_id(i), {});
  for (std::int64_t x = 0; x < 3; ++x) list.erase(span(x, x + 1), instruction_id(1990));
  CHECK(list.size() <= 20);
  const std::set<std::uint64_t> left = readers_of(list, span(50, 60));
  for (std::uint64_t i = 1991; i <= 2000; ++i) CHECK(left.contains(i));
}

TEST_CASE("what a write leaves of a box still has its reader, and the rest has none") {
  reader_list list;
  list.add(span(0, 10), instruction_id(7), {});
  list.erase(span(3, 6));
  CHECK(readers_of(list, span(0, 3)) == std::set<std::uint64_t>{7});
  CHECK(readers_of(list, span(3, 6)).empty());
  CHECK(readers_of(list, span(6, 10)) == std::set<std::uint64_t>{7});
  list.erase(span(0, 3));
  list.erase(span(6, 10));
  CHECK(list.size() == 0);
}
