#include "tessera/plan/split/launch_grid.h"

#include <doctest/doctest.h>

#include <random>

#include "tessera/base/text.h"
#include "tessera/plan/annotation/annotation.h"
#include "tessera/plan/distribution.h"
#include "tessera/plan/split/split.h"

using namespace tessera;
using namespace tessera::plan;

namespace {

/// A launch of threads [j, i] in blocks that uses `a` alone, at home on the first device.
launch_shape on_one_array(const extents& shape, const std::string& text, const extents& threads, const extents& block) {
  annotation a = parse_annotation(text);
  check_against(a, std::vector<parameter_info>{{"a", true, false}});
  const std::vector<array_argument> arguments{{&shape, true}};
  auto accesses = std::make_shared<const access_pattern>(bind(a, {{}, arguments}));
  layout first;
  first.form = layout::kind::on_device;
  return {"kernel",
          {threads, block},
          {},
          std::move(accesses),
          {{"a", shape, dtype_of<float>(), make_partition(first, shape, 1)}},
          {{0, 0, box::whole(shape)}}};
}

std::vector<std::vector<std::int64_t>> cuts_at_every_block(const launch_shape& shape) {
  std::vector<std::vector<std::int64_t>> cuts;
  for (const std::int64_t n : shape.space.granules()) {
    cuts.emplace_back();
    for (std::int64_t g = 0; g <= n; ++g) cuts.back().push_back(g);
  }
  return cuts;
}

}  // namespace

TEST_CASE("what superblocks touch is the same whether all are asked for or those of some devices") {
  std::mt19937 random(11);
  const auto pick = [&](std::int64_t lo, std::int64_t hi) {
    return std::uniform_int_distribution<std::int64_t>(lo, hi)(random);
  };
  for (int round = 0; round < 8; ++round) {
    // Four superblocks of half a row of the view below each other, two beside each other: each takes the hull.
    const std::int64_t width = pick(5, 9), quarter = pick(4200, 6000), columns = pick(7, 12);
    const extents shape{4 * quarter * width / columns + 1, columns};
    const touch kind = round % 2 == 0 ? touch::combine : touch::read;
    const std::string text = cat("global [j, i] => ", kind == touch::read ? "read" : "atomic(+)", " a as [",
                                 4 * quarter, ", ", width, "][i, j]");
    const launch_shape s = on_one_array(shape, text, {width, 4 * quarter}, {(width + 1) / 2, quarter});
    const auto grid = std::make_shared<const launch_grid>(s, cuts_at_every_block(s));
    auto devices = std::make_shared<std::vector<int>>();
    for (std::int64_t part = 0; part < grid->size(); ++part) devices->push_back(static_cast<int>(part));
    const launch_parts parts(grid, devices, 0, kind);
    for (std::int64_t next = 1; next < 4; ++next)
      for (std::int64_t column = 0; column < columns; ++column) {
        const std::int64_t row = next * quarter * width / columns;  // where superblocks meet
        const box query({row, column}, {row + 1, column + 1});
        std::vector<partition::piece> all, each;
        parts.pieces(query, all);
        for (int d = 0; d < static_cast<int>(devices->size()); ++d) parts.pieces_of(d, d + 1, query, each);
        CHECK(all == each);
      }
  }
}

TEST_CASE("the bounds of what is read hold what a superblock declares beyond what all together do") {
  // Together they read the left half of every row of `a`. Each is many boxes, whose hull is whole rows.
  auto s = on_one_array({2000, 16}, "global [j, i] => read a as [2000, 8, 2][i, 0:3, j]", {2, 2000}, {1, 2000});
  s.split = {split_spec::kind::blocks, {1, 2000}, 0};
  const auto plan = split_launch(s, machine_table::uniform(1, 2), node_id(0));
  REQUIRE(plan->local.size() == 2);
  for (const split_plan::local_part& part : plan->local) {
    CHECK(part.footprints[0].reads == region(box::whole({2000, 16})));
    CHECK(plan->slots[0].read_bounds.contains(part.footprints[0].reads.bounds()));
  }
}
