#include <doctest/doctest.h>

#include <chrono>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/plan/annotation/annotation.h"
#include "tessera/plan/distribution.h"
#include "tessera/plan/split/cache.h"
#include "tests/support/messages.h"

using namespace tessera;
using namespace tessera::plan;
using support::message_of;
using support::says;

namespace {

/// A launch of `threads` threads over y and v, one of them per row of the table `rows`.
struct table_launch {
  std::string text;
  std::int64_t threads;
  extents y, v;
  intervals rows;
  std::int64_t block = 1;

  [[nodiscard]] launch_shape shape(int devices, split_spec split = {}) const {
    annotation a = parse_annotation(text);
    check_against(a, std::vector<parameter_info>{{"y", true, false}, {"v", true, false}});
    const std::vector<array_argument> arguments{{&y, true}, {&v, true}};
    const std::vector<named_intervals> tables{{"rows", rows}};
    return {"kernel",
            {{threads}, {block}},
            std::move(split),
            std::make_shared<const access_pattern>(bind(a, {{}, arguments, tables})),
            {{"y", y, dtype_of<float>(), make_partition({}, y, devices)},
             {"v", v, dtype_of<float>(), make_partition({}, v, devices)}},
            {{0, 0, box::whole(y)}, {1, 1, box::whole(v)}}};
  }
  [[nodiscard]] std::shared_ptr<const split_plan> plan(int devices, split_spec split = {}) const {
    return split_launch(shape(devices, std::move(split)), machine(devices), node_id(0));
  }
  [[nodiscard]] std::string error(split_spec split = {}) const {
    return message_of<argument_error>([&] { (void)plan(2, std::move(split)); });
  }
  static machine_table machine(int devices) {
    return machine_table::uniform(1, devices, {"cpu", std::int64_t{1} << 40, 4096});
  }
};

split_spec blocks_of(std::int64_t threads) {
  split_spec s;
  s.form = split_spec::kind::blocks;
  s.blocks = {threads};
  return s;
}

const std::string product = "global i => read v[rows(i)], write y[i]";

}  // namespace

TEST_CASE("a superblock declares exactly its rows") {
  const table_launch launch{product, 4, {4}, {20}, intervals({{0, 3}, {3, 5}, {9, 12}, {1, 4}})};
  const auto plan = launch.plan(2, blocks_of(2));
  REQUIRE(plan->local.size() == 2);
  CHECK(plan->local[0].footprints[1].reads == region(box({0}, {5})));
  CHECK(plan->local[1].footprints[1].reads == region({box({1}, {4}), box({9}, {12})}));
  const auto owners = plan->slots[1].readers;
  std::vector<partition::piece> pieces;
  owners->pieces(box({2}, {10}), pieces);
  REQUIRE(pieces.size() == 3);
  CHECK(pieces[0].bounds == box({2}, {5}));
  CHECK(pieces[1].bounds == box({2}, {4}));
  CHECK(pieces[2].bounds == box({9}, {10}));
}

TEST_CASE("an automatic split follows the distribution of what is written through an ascending table") {
  // Thread 0 writes half of v, so that the cut lies behind it.
  const intervals rows({0, 50, 50, 60, 70, 80, 90, 100});
  const table_launch launch{"global i => read y[i], write v[rows(i)]", 7, {7}, {100}, rows};
  const auto plan = launch.plan(2);
  REQUIRE(plan->grid->size() == 2);
  CHECK(plan->grid->part(0) == box({0}, {1}));
  CHECK(plan->local[0].footprints[1].writes == region(box({0}, {50})));
  CHECK(plan->local[1].footprints[1].writes == region(box({50}, {100})));
}

TEST_CASE("rows that overlap across a cut are in conflict where they are written") {
  const table_launch launch{
      "global i => none y, readwrite v[rows(i)]", 4, {1}, {40}, intervals({{0, 10}, {10, 20}, {15, 30}, {30, 40}})};
  CHECK(says(launch.error(blocks_of(2)), "cannot be split like this", "both write 'v' at [15:20]"));
  const auto plan = launch.plan(2);  // the cut moves to the next place
  REQUIRE(plan->grid->size() == 2);
  CHECK(plan->grid->part(0) == box({0}, {3}));
}

TEST_CASE("rows in any order are split evenly") {
  const table_launch launch{
      "global i => none y, write v[rows(i)]", 4, {1}, {40}, intervals({{30, 40}, {10, 20}, {20, 30}, {0, 10}})};
  const auto plan = launch.plan(2);
  REQUIRE(plan->grid->size() == 2);
  CHECK(plan->local[0].footprints[1].writes == region({box({10}, {20}), box({30}, {40})}));
  CHECK(plan->local[1].footprints[1].writes == region({box({0}, {10}), box({20}, {30})}));
}

TEST_CASE("rows that a table does not have and rows beyond the array are refused with table and row") {
  const auto error = [](const std::string& text, std::int64_t threads, const intervals& rows) {
    return table_launch{text, threads, {100}, {20}, rows, 4}.error();
  };
  CHECK(error(product, 4, intervals({0, 3, 5, 8})) ==
        "launch of 'kernel': threads ask for rows 0 to 3 of table 'rows' (index 0 of 'v'), which has 3; give a longer "
        "table, or limit the name in the annotation (`global i < n`)");
  CHECK(says(error("global i => read v[rows(i-1)], write y[i]", 3, intervals({0, 3, 5, 8})), "rows -1 to 1"));
  CHECK(error(product, 3, intervals({{0, 3}, {4, 4}, {7, 21}})) ==
        "launch of 'kernel': row 2 of table 'rows' is [7, 21), but axis 0 of 'v' has only [0, 20)");
  CHECK(says(error(product, 3, intervals({{0, 3}, {-1, 4}, {7, 20}})), "row 1 of table 'rows' is [-1, 4)"));
}

TEST_CASE("threads that only fill the last block, limited ones and empty rows ask for nothing") {
  const intervals rows({{0, 3}, {99, 99}, {3, 20}});
  const table_launch launch{product, 3, {100}, {20}, rows, 4};
  CHECK(launch.plan(1)->local[0].footprints[1].reads == region(box({0}, {20})));
  const table_launch limited{"global i < 3 => read v[rows(i)], write y[i]", 9, {100}, {20}, rows, 4};
  CHECK(limited.plan(1)->local[0].footprints[1].reads == region(box({0}, {20})));
}

TEST_CASE("of a slice, rows beyond it are cut off as long as the array has them") {
  launch_shape shape = table_launch{product, 2, {2}, {20}, intervals({{-2, 3}, {8, 12}})}.shape(1);
  shape.uses[1].slice = box({5}, {15});
  const auto plan = split_launch(shape, table_launch::machine(1), node_id(0));
  CHECK(plan->local[0].footprints[1].reads == region({box({5}, {8}), box({13}, {15})}));
  shape.uses[1].slice = box({1}, {15});
  CHECK(says(message_of<argument_error>([&] { (void)split_launch(shape, table_launch::machine(1), node_id(0)); }),
             "row 0 of table 'rows' is [-2, 3), but axis 0 of 'v' has only [-1, 19)"));
}

TEST_CASE("equal launches with the same table are cut once, and tables are told apart") {
  split_cache cache(table_launch::machine(2), node_id(0));
  const table_launch first{product, 4, {4}, {20}, intervals({0, 3, 5, 9, 12})};
  table_launch second = first;
  second.rows = intervals({0, 3, 5, 10, 12});
  const auto plan = cache.split(first.shape(2, blocks_of(2)));
  CHECK(plan->local[1].footprints[1].reads == region(box({5}, {12})));
  CHECK(cache.split(second.shape(2, blocks_of(2))) != plan);
}

TEST_CASE("a launch over a million rows is cut in milliseconds, not row by row") {
  constexpr std::int64_t n = 1'000'000;
  std::vector<std::int64_t> offsets(n + 1);
  for (std::int64_t r = 0; r < n; ++r)
    offsets[static_cast<std::size_t>(r) + 1] = offsets[static_cast<std::size_t>(r)] + r % 9;
  const table_launch launch{product, n, {n}, {offsets.back()}, intervals(offsets), 256};
  const launch_shape shape = launch.shape(8);
  const auto begin = std::chrono::steady_clock::now();
  const auto plan = split_launch(shape, table_launch::machine(8), node_id(0));
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  CHECK(plan->grid->size() == 8);
  for (const auto& part : plan->local) CHECK(part.footprints[1].reads.boxes().size() == 1);
  MESSAGE("took ", took.count(), " ms");
  CHECK(took.count() < 100);
}
