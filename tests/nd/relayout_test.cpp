#include <doctest/doctest.h>

#include <vector>

#include "tessera/nd/graph/graph.h"
#include "tests/array/on_ranks.h"
#include "tests/nd/plain_array.h"

using namespace tessera::support;
using ts::extents;

namespace {

/// The first rows on device 0, none on device 1, the others on the last one.
class uneven_rows final : public ts::distribution {
 public:
  [[nodiscard]] ts::plan::layout parts(const extents& shape, int devices) const override {
    ts::plan::layout made;
    made.form = ts::plan::layout::kind::listed;
    made.parts = {{{{0, 0}, {2, shape[1]}}, 0, 0}, {{{2, 0}, shape}, devices - 1, 1}};
    return made;
  }
};

}  // namespace

TEST_CASE("another layout is a new array with equal elements") {
  for_each_setting([] {
    const plain_array<int> x = numbered<int>({12, 10});
    const nd::array a = from_plain(x), by_rows = nd::resplit(a, 0), by_columns = nd::resplit(by_rows, -1),
                    tiles = nd::resplit(by_columns, {0, 1}), everywhere = nd::resplit(tiles, nd::layout::replicated());
    const nd::array uneven = nd::redistribute(by_columns, uneven_rows()), even = nd::balance(uneven);
    CHECK(axes_of(by_rows) == std::vector<int>{0});
    CHECK(axes_of(by_columns) == std::vector<int>{1});
    CHECK(axes_of(tiles) == std::vector<int>{0, 1});
    CHECK(axes_of(even) == std::vector<int>{0});
    CHECK(axes_of(nd::balance(by_columns)) == std::vector<int>{1});
    CHECK(everywhere.split().kind() == nd::layout::form::replicated);
    CHECK(uneven.split().kind() == nd::layout::form::listed);
    for (const nd::array& each : {by_rows, by_columns, tiles, everywhere, uneven, even}) {
      CHECK(same(each, x));
      CHECK(same(each + by_columns * 0, x));
    }
    by_rows += 1;
    CHECK(same(a, x));
    CHECK(same(by_columns, x));
  });
}

TEST_CASE("parts have as many elements as is said") {
  for_each_setting([] {
    const plain_array<int> x = numbered<int>({5, 9});
    const nd::array a = from_plain(x);
    const int devices = a.owner()->devices();
    std::vector<std::int64_t> counts(static_cast<std::size_t>(devices), 0);
    counts.back() = 7;
    counts.front() += 2;
    const nd::array made = nd::redistribute(a, counts, -1);
    CHECK(same(made, x));
    CHECK(same(made + nd::balance(made) * 0, x));
    counts.front() += 1;
    CHECK_THROWS_AS(static_cast<void>(nd::redistribute(a, counts, -1)), ts::argument_error);
    counts.front() = -1;
    CHECK_THROWS_AS(static_cast<void>(nd::redistribute(a, counts, -1)), ts::argument_error);
    counts.push_back(0);
    CHECK_THROWS_AS(static_cast<void>(nd::redistribute(a, counts)), ts::argument_error);
  });
}

TEST_CASE("every rank has the part that the layout says") {
  for (const int ranks : {2, 3})
    on_ranks(ranks, "cpu", [ranks](ts::context& ctx) {
      const plain_array<int> x = numbered<int>({12, 10});
      const nd::array a = from_plain(x, {.ctx = ctx});
      const auto check = [&](const nd::array& made, const std::vector<std::int64_t>& most) {
        for (const ts::box& own : made.engine_array().own_boxes())
          for (int k = 0; k < 2; ++k)
            require(own.hi[k] - own.lo[k] <= most[static_cast<std::size_t>(k)], "a rank has its part alone");
        require(made.read<int>() == x.elements, "elements stay as they are");
      };
      const nd::array by_columns = nd::resplit(a, 1);
      check(by_columns, {12, (10 + ranks - 1) / ranks});
      check(nd::resplit(by_columns, 0), {12 / ranks, 10});
      check(nd::redistribute(by_columns, uneven_rows()), {10, 10});
      check(nd::balance(nd::redistribute(by_columns, uneven_rows())), {12 / ranks, 10});
      if (ranks == 3) require(nd::redistribute(a, uneven_rows()).read<int>() == x.elements, "a part may be empty");
    });
}
