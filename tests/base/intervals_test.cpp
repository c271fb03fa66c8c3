#include "tessera/base/geometry/intervals.h"

#include <doctest/doctest.h>

#include <limits>
#include <random>
#include <set>

#include "tessera/base/error.h"
#include "tests/support/messages.h"

using namespace tessera;
using support::message_of;
using row = intervals::row;
using rows = std::vector<row>;

namespace {

constexpr row everything{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};

rows united(const intervals& table, std::int64_t first, std::int64_t last, row within = everything) {
  rows out;
  table.append_union(first, last, within, out);
  return out;
}

/// Random rows: some tables ascend, some have gaps, empty or equal rows.
rows random_rows(std::mt19937& random) {
  const auto draw = [&](int lo, int hi) { return std::uniform_int_distribution<std::int64_t>(lo, hi)(random); };
  rows made;
  std::int64_t at = draw(-5, 5);
  const std::int64_t style = draw(0, 3);
  for (std::int64_t n = draw(0, 12); n > 0; --n) {
    if (style == 0) at = draw(-5, 25);
    if (style == 1) at += draw(0, 2);
    const std::int64_t length = draw(0, 2) == 0 ? 0 : draw(0, 6);
    made.push_back({at, at + length});
    if (style != 0) at += length;
    if (style == 3 && draw(0, 3) == 0) at -= draw(0, 9);
    if (draw(0, 9) == 0) made.push_back(made.back());
  }
  return made;
}

}  // namespace

TEST_CASE("the union of rows holds their elements and no others, as ascending intervals that do not touch") {
  std::mt19937 random(3);
  for (int trial = 0; trial < 3000; ++trial) {
    const rows plain = random_rows(random);
    const intervals table(plain);
    const auto n = static_cast<std::int64_t>(plain.size());
    const row within{trial % 3 == 0 ? 0 : -100, trial % 3 == 0 ? 15 : 100};
    for (std::int64_t first = -1; first <= n; ++first)
      for (std::int64_t last = first - 1; last <= n; ++last) {
        std::set<std::int64_t> expected, found;
        for (std::int64_t r = std::max<std::int64_t>(first, 0); r <= std::min(last, n - 1); ++r)
          for (std::int64_t x = plain[static_cast<std::size_t>(r)].lo; x < plain[static_cast<std::size_t>(r)].hi; ++x)
            if (x >= within.lo && x < within.hi) expected.insert(x);
        const rows result = united(table, first, last, within);
        for (std::size_t k = 0; k < result.size(); ++k) {
          REQUIRE(result[k].lo < result[k].hi);
          if (k > 0) REQUIRE(result[k - 1].hi < result[k].lo);
          for (std::int64_t x = result[k].lo; x < result[k].hi; ++x) found.insert(x);
        }
        REQUIRE(found == expected);
        const rows all = united(table, first, last);
        const row bounds = table.bounds(first, last);
        REQUIRE(bounds.empty() == all.empty());
        if (!all.empty()) REQUIRE(bounds == row{all.front().lo, all.back().hi});
      }
  }
}

TEST_CASE("a table knows its rows, and empty ones are all alike") {
  const intervals table({{3, 3}, {0, 4}, {9, 9}, {4, 4}, {2, 7}, {8, 8}});
  CHECK(table.size() == 6);
  CHECK(table[1] == row{0, 4});
  CHECK(table[2].empty());
  CHECK(table[4] == row{2, 7});
  CHECK(table[5].empty());
  CHECK(table.next_filled(-4) == 1);
  CHECK(table.next_filled(2) == 4);
  CHECK(table.next_filled(5) == 6);
  CHECK(table == intervals({{0, 0}, {0, 4}, {1, 1}, {1, 1}, {2, 7}, {1, 1}}));
  CHECK(table.hash() == intervals({{0, 0}, {0, 4}, {1, 1}, {1, 1}, {2, 7}, {1, 1}}).hash());
}

TEST_CASE("tables with other rows, or the same ones elsewhere, are not equal") {
  const intervals table({{0, 4}, {4, 6}});
  for (const intervals& other : {intervals({{0, 4}, {4, 7}}), intervals({{4, 6}, {0, 4}}), intervals(),
                                 intervals({{0, 4}, {5, 5}, {4, 6}}), intervals({{0, 4}, {4, 6}, {0, 0}})}) {
    CHECK_FALSE(table == other);
    CHECK(table.hash() != other.hash());
  }
}

TEST_CASE("offsets give the rows between them, pairs and structures give rows as they are") {
  const std::vector<int> offsets{0, 2, 2, 7};
  const intervals table(offsets);
  CHECK(table == intervals({0, 2, 2, 7}));
  CHECK(table == intervals({{0, 2}, {2, 2}, {2, 7}}));
  CHECK(table == intervals(std::vector<std::pair<int, long>>{{0, 2}, {2, 2}, {2, 7}}));
  CHECK(table == intervals(rows{{0, 2}, {2, 2}, {2, 7}}));
  CHECK(table.ascends());
  CHECK_FALSE(intervals({{4, 9}, {0, 2}}).ascends());
  CHECK(intervals(std::vector<int>{}).size() == 0);
  CHECK(intervals(std::vector<int>{5}).size() == 0);
  const intervals copy = table;
  CHECK(copy.identity() == table.identity());
}

TEST_CASE("a row that ends before it begins is refused with its number") {
  CHECK(message_of<argument_error>([] {
          intervals({{0, 4}, {9, 5}});
        }) == "row 1 of a table of intervals ends before it begins: [9, 5)");
  CHECK(message_of<argument_error>([] {
          intervals(std::vector<int>{0, 4, 4, 3});
        }) == "row 2 of a table of intervals ends before it begins: offset 2 is 4, offset 3 is 3");
  CHECK(message_of<argument_error>([] {
          intervals(std::vector<std::uint64_t>{0, std::numeric_limits<std::uint64_t>::max()});
        }) == "number 1 of a table of intervals does not fit 64 bits with a sign");
}
