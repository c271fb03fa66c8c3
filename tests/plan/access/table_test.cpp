#include <doctest/doctest.h>

#include <random>

#include "tessera/base/geometry/region.h"
#include "tessera/plan/access/codec.h"
#include "tessera/plan/access/text.h"
#include "tessera/plan/annotation/binding_cache.h"
#include "tests/plan/annotation_support.h"

using namespace tessera;
using namespace tessera::plan;

namespace {

const domain ten_blocks{{100}, {10}};

/// The boxes of `a[rows(...)]` for the threads lo <= i < hi of ten blocks.
std::vector<box> boxes_of(const std::string& index, const intervals& rows, std::int64_t lo, std::int64_t hi,
                          std::int64_t extent = 1000) {
  const fake_launch launch{{{"a", {extent}}}, {}, {}, {{"rows", rows}}};
  return launch.boxes("global i => read a[" + index + "]", {{100}, {1}}, box({lo}, {hi})).front();
}

box line(std::int64_t lo, std::int64_t hi) { return box({lo}, {hi}); }

std::string bind_error(const std::string& text, std::vector<named_intervals> tables) {
  const fake_launch launch{{{"a", {100}}}, {}, {}, std::move(tables)};
  return message_of<argument_error>([&] { (void)launch.bind(text); });
}

}  // namespace

TEST_CASE("rows of a table that touch or overlap are one box, others are boxes of their own") {
  const intervals rows({{0, 4}, {4, 6}, {9, 12}, {10, 14}, {20, 30}});
  CHECK(boxes_of("rows(i)", rows, 0, 2) == std::vector{line(0, 6)});
  CHECK(boxes_of("rows(i)", rows, 0, 5) == std::vector{line(0, 6), line(9, 14), line(20, 30)});
  CHECK(boxes_of("rows(i)", rows, 4, 5) == std::vector{line(20, 30)});
  CHECK(boxes_of("rows(i + 3)", rows, 0, 2) == std::vector{line(10, 14), line(20, 30)});
  CHECK(boxes_of("rows(1)", rows, 0, 100) == std::vector{line(4, 6)});
}

TEST_CASE("rows in any order, empty and equal ones give the same union") {
  const intervals rows({{20, 30}, {4, 4}, {0, 4}, {0, 4}, {2, 6}, {9, 9}});
  CHECK(boxes_of("rows(i)", rows, 0, 6) == std::vector{line(0, 6), line(20, 30)});
  CHECK(boxes_of("rows(i)", rows, 1, 2).empty());
  CHECK(boxes_of("rows(i)", rows, 2, 4) == std::vector{line(0, 4)});
}

TEST_CASE("what lies outside of the array is cut off, and so are rows that the table does not have") {
  const intervals rows({{-5, 3}, {8, 20}, {30, 40}});
  CHECK(boxes_of("rows(i)", rows, 0, 100, 10) == std::vector{line(0, 3), line(8, 10)});
  CHECK(boxes_of("rows(i - 50)", rows, 0, 10, 10).empty());
}

TEST_CASE("tables on two axes combine, and views are seen through") {
  const intervals rows({{0, 1}, {3, 4}}), columns({{0, 2}, {4, 6}});
  const fake_launch launch{{{"a", {4, 6}}}, {}, {}, {{"r", rows}, {"c", columns}}};
  const std::string both = "global [i, j] => read a[r(j), c(i)]";
  const auto found = launch.boxes(both, {{2, 2}, {1, 1}}, box({0, 0}, {2, 2})).front();
  CHECK(found == std::vector{box({0, 0}, {1, 2}), box({0, 4}, {1, 6}), box({3, 0}, {4, 2}), box({3, 4}, {4, 6})});
  const fake_launch flat{{{"a", {4, 6}}}, {}, {}, {{"r", intervals({{0, 6}, {8, 9}, {12, 18}})}}};
  const auto seen = flat.boxes("global i => read a as [:][r(i)]", {{3}, {1}}, box({0}, {3})).front();
  CHECK(region(seen) == region({box({0, 0}, {1, 6}), box({1, 2}, {2, 3}), box({2, 0}, {3, 6})}));
}

TEST_CASE("of very many intervals the narrowest gaps are filled, and that is told") {
  std::vector<intervals::row> rows;
  for (std::int64_t r = 0; r < 5000; ++r) rows.push_back({10 * r, 10 * r + (r % 2 == 0 ? 9 : 5)});
  const fake_launch launch{{{"a", {50'000}}}, {}, {}, {{"rows", intervals(rows)}}};
  const access_pattern p = launch.bind("global i => read a[rows(i)]");
  const auto names = name_intervals(p.names, {{5000}, {1}}, box({0}, {5000}), padding::exclude);
  std::vector<box> found;
  CHECK_FALSE(evaluate(p.rules[0], names, {50'000}, found));
  CHECK(found.size() == max_boxes_per_rule);
  std::int64_t covered = 0;
  for (const box& b : found) covered += b.volume();
  CHECK(covered == 2500 * 9 + 2500 * 5 + static_cast<std::int64_t>(5000 - max_boxes_per_rule));
}

TEST_CASE("a rule that takes every row is dense, one that leaves rows out is not") {
  const fake_launch launch{{{"a", {100}}}, {}, {}, {{"rows", intervals({{0, 1}, {5, 7}})}}};
  const auto dense = [&](const std::string& index) {
    return is_dense(launch.bind("global i => write a[rows(" + index + ")]").rules[0]);
  };
  CHECK(dense("i"));
  CHECK(dense("i + 3"));
  CHECK(dense("i / 4"));
  CHECK_FALSE(dense("2 * i"));
  CHECK_FALSE(dense("i % 3"));
}

TEST_CASE("a table that the launch lacks is an error at its column, with the nearest name") {
  CHECK(bind_error("global i => read a[rows(i)]", {}) ==
        "annotation, column 20: the launch gives no table `rows`: .tables = {{\"rows\", ts::intervals(...)}}; where a "
        "function was meant, there are `min` and `max`\nglobal i => read a[rows(i)]\n                   ^");
  CHECK(says(bind_error("global i => read a[rows(i)], read a[row(i)]", {{"rows", intervals()}}),
             "the launch gives no table `row`, but `rows`"));
}

TEST_CASE("a table that no rule names is an error, with the nearest name, and so is one given twice") {
  CHECK(says(bind_error("global i => read a[rows(i)]", {{"rows", intervals()}, {"rws", intervals()}}),
             "the annotation names no table `rws`, which is given in .tables; did you mean `rows`?"));
  CHECK(says(bind_error("global i => read a[i]", {{"rows", intervals()}}), "names no table `rows`"));
  CHECK(says(bind_error("global i => read a[rows(i)]", {{"rows", intervals()}, {"rows", intervals()}}), "given twice"));
}

TEST_CASE("patterns with tables survive their serial form, and tables show in what names a pattern") {
  const fake_launch launch{{{"a", {100}}, {"b", {9, 100}}},
                           {},
                           {},
                           {{"r", intervals({{7, 9}, {0, 0}, {-3, 4}})}, {"s", intervals({0, 3, 9})}}};
  const access_pattern before = launch.bind("global i => read a[r(i+1)], read b[i, s(i)], write b[2, r(i)]");
  std::vector<std::byte> bytes = access_codec::encode(before);
  std::span<const std::byte> in(bytes);
  const access_pattern after = access_codec::decode(in);
  CHECK(in.empty());
  CHECK(after == before);
  CHECK(tables_of(after).size() == 2);
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    std::span<const std::byte> shorter(bytes.data(), n);
    CHECK_THROWS_AS((void)access_codec::decode(shorter), argument_error);
  }
  CHECK(access_codec::code_of(after) == access_codec::code_of(before));
  fake_launch other = launch;
  other.tables[1].second = intervals({0, 4, 9});
  const access_pattern changed = other.bind("global i => read a[r(i+1)], read b[i, s(i)], write b[2, r(i)]");
  CHECK_FALSE(changed == before);
  CHECK(access_codec::code_of(changed) != access_codec::code_of(before));
  const std::vector<std::string> arrays{"a", "b"}, bound{"i"};
  CHECK(to_string(before.rules[1], {arrays, bound}) == "read b[i, s(i)]");
}

TEST_CASE("a binding is found again with an equal table, not with another one") {
  annotation a = parse_annotation("global i => read a[rows(i)]");
  check_against(a, std::vector<parameter_info>{{"a", true, false}});
  const extents shape{100};
  const std::vector<array_argument> arrays{{&shape, true}};
  binding_cache cache;
  const auto bind = [&](const intervals& rows) {
    const std::vector<named_intervals> tables{{"rows", rows}};
    return cache.bind(a, {{}, arrays, tables});
  };
  const auto first = bind(intervals({0, 4, 9}));
  CHECK(bind(intervals({0, 4, 9})) == first);
  const auto second = bind(intervals({0, 5, 9}));
  CHECK(second != first);
  CHECK(second->pattern.rules[0].indices[0].table->rows == intervals({0, 5, 9}));
  CHECK(bind(intervals({0, 4, 9})) == first);
}
