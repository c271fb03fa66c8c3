#include "tessera/plan/combine/declared_boxes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "tessera/plan/access/text.h"
#include "tests/plan/access_support.h"

using namespace tessera;
using namespace tessera::plan;

namespace {

/// The planner's own evaluation for one block.
box evaluated(const access_rule& r, std::span<const bound_name> names, const domain& space, const extents& shape,
              const extents& block) {
  box part = box::whole(space.size);
  for (int k = 0; k < part.rank(); ++k) part.lo[k] = block[k], part.hi[k] = block[k] + 1;
  std::vector<box> boxes;
  evaluate(r, name_intervals(names, space, part, padding::include), shape, boxes);
  box all(extents::uniform(shape.rank(), 0), extents::uniform(shape.rank(), 0));
  for (const box& b : boxes) all = hull(all, b);
  return all;
}

template <class Visit>
void for_each_block(const box& part, Visit visit) {
  extents b{0, 0, 0}, lo{0, 0, 0}, hi{1, 1, 1};
  for (int k = 0; k < part.rank(); ++k) lo[k] = part.lo[k], hi[k] = part.hi[k];
  for (b[2] = lo[2]; b[2] < hi[2]; ++b[2])
    for (b[1] = lo[1]; b[1] < hi[1]; ++b[1])
      for (b[0] = lo[0]; b[0] < hi[0]; ++b[0]) visit(b);
}

bool has_list(const block_boxes& b) {
  return std::any_of(b.axes.begin(), b.axes.end(), [](const block_boxes::axis& a) { return a.listed != nullptr; });
}

struct random_rules {
  std::mt19937 engine;

  int draw(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine); }

  extents shape(int least_rank, int most_rank, int most) {
    extents e = extents::uniform(draw(least_rank, most_rank), 0);
    for (int a = 0; a < e.rank(); ++a) e[a] = draw(draw(0, 9) == 0 ? 0 : 1, most);
    return e;
  }
  domain space() {
    domain d{shape(1, 3, 12), {}};
    d.granule = d.size;
    for (int a = 0; a < d.size.rank(); ++a) d.size[a] = std::max<std::int64_t>(d.size[a], 1), d.granule[a] = draw(1, 4);
    return d;
  }
  box part_of(const domain& d) {
    box part = box::whole(d.granules());
    for (int a = 0; a < part.rank(); ++a) {
      part.lo[a] = draw(0, static_cast<int>(part.hi[a]) - 1);
      part.hi[a] = draw(static_cast<int>(part.lo[a]) + 1, static_cast<int>(part.hi[a]));
    }
    return part;
  }
  std::vector<bound_name> names() {
    std::vector<bound_name> result;
    for (int n = 0; n < 3; ++n) {
      result.push_back({static_cast<bound_name::kind>(draw(0, 2)), draw(0, 2), std::nullopt});
      if (draw(0, 2) == 0) result.back().below = draw(-1, 11);
    }
    return result;
  }
  expression index(int depth, bool affine) {
    if (depth == 0 || draw(0, 3) == 0) return draw(0, 2) == 0 ? c(draw(-6, 9)) : n(draw(0, 2));
    const expression a = index(depth - 1, affine), b = index(depth - 1, affine);
    switch (draw(0, affine ? 3 : 7)) {
      case 0:
        return a + b;
      case 1:
        return a - b;
      case 2:
        return c(draw(-3, 4)) * a;
      case 3:
        return a + c(draw(-3, 4));
      case 4:
        return a / c(draw(1, 4));
      case 5:
        return a % c(draw(1, 4));
      case 6:
        return expression::combine(expression::op::minimum, a, b);
      default:
        return expression::combine(expression::op::maximum, a, b);
    }
  }
  index_range range(bool affine) {
    const expression first = index(draw(0, 3), affine);
    index_range r{first, first, 1};
    switch (draw(0, 4)) {
      case 0:
        r.last.reset();
        break;
      case 1:
        r.first.reset();
        break;
      case 2:
        r.last = index(2, affine);
        break;
      case 3:
        r.last = first + c(draw(0, 6));
        break;
      default:
        break;
    }
    if (draw(0, 3) == 0) r.step = draw(1, 4);
    return r;
  }
  access_rule rule_for(const extents& array, bool affine) {
    access_rule r = rule({});
    r.mode = access_mode::reduce;
    if (!affine && draw(0, 1) == 0) r.view = storage_view{shape(1, 3, 5), draw(0, 4)};
    const int rank = r.view ? r.view->shape.rank() : array.rank();
    if (draw(0, 5) == 0) return r;
    for (int a = 0; a < rank; ++a) r.indices.push_back(range(affine));
    return r;
  }
};

}  // namespace

TEST_CASE("the boxes described for the blocks of any part are those that the planner evaluates") {
  random_rules random{std::mt19937(20261116)};
  int filled = 0, empty = 0, listed = 0, kept = 0;
  for (int round = 0; round < 30000; ++round) {
    const domain space = random.space();
    const box part = random.part_of(space);
    const std::vector<bound_name> names = random.names();
    const extents shape = random.shape(0, 3, 9);
    const bool affine = round % 2 == 0;
    const access_rule r = random.rule_for(shape, affine);
    const block_boxes described = declared_boxes(r, names, space, part, shape);
    (has_list(described) ? listed : kept)++;
    CAPTURE(round);
    CAPTURE(to_string(r, {}));
    std::optional<box> first;
    for_each_block(part, [&](const extents& block) {
      const box expected = evaluated(r, names, space, shape, block);
      REQUIRE(described.of(block) == expected);
      if (!first) first = expected;
      if (described.is_uniform()) REQUIRE(expected == *first);
      (expected.empty() ? empty : filled)++;
    });
  }
  CHECK(filled > 50000);
  CHECK(empty > 20000);
  CHECK(listed > 5000);
  CHECK(kept > 15000);
}

TEST_CASE("usual rules are described in constant size, whatever the number of blocks") {
  const domain space{{std::int64_t{1} << 40, 1000}, {256, 4}};
  const box part = box::whole(space.granules());
  const std::vector<bound_name> names{{bound_name::kind::global, 0, 1000001},
                                      {bound_name::kind::block, 0, std::nullopt},
                                      {bound_name::kind::global, 1, std::nullopt}};
  const extents shape{1000001, 1 << 20};
  for (const access_rule& r : {rule({point(n(0)), point(n(1))}), rule({slice(n(0) - c(1), n(0) + c(1)), point(n(2))}),
                               rule({slice(c(256) * n(1), c(256) * n(1) + c(255), 4)}), rule({})}) {
    const block_boxes described = declared_boxes(r, names, space, part, shape);
    CHECK_FALSE(has_list(described));
    for (const extents& block : {extents{0, 0, 0}, extents{3905, 249, 0}, extents{3906, 7, 0}, extents{3907, 7, 0}})
      CHECK(described.of(block) == evaluated(r, names, space, shape, block));
  }
  CHECK(declared_boxes(rule({}), names, space, part, shape).is_uniform());
  CHECK_FALSE(declared_boxes(rule({point(n(1))}), names, space, part, shape).is_uniform());
}

TEST_CASE("a name whose limit is the end of the last block does not make boxes differ") {
  const domain space{{64}, {16}};
  const std::vector<bound_name> names{{bound_name::kind::global, 0, 64}, {bound_name::kind::local, 0, std::nullopt}};
  CHECK(declared_boxes(rule({point(n(1))}), names, space, box({0}, {4}), {64}).is_uniform());
  CHECK(declared_boxes(rule({slice(n(0) - n(0), std::nullopt)}), names, space, box({0}, {4}), {64}).is_uniform());
}

TEST_CASE("only the block axes that an index uses are listed, and only in the part") {
  const domain space{{1000, 1000}, {1, 1}};
  const std::vector<bound_name> names{{bound_name::kind::block, 0, std::nullopt},
                                      {bound_name::kind::block, 1, std::nullopt}};
  const block_boxes b =
      declared_boxes(rule({point(n(1) / c(8)), point(n(0))}), names, space, box({0, 100}, {1000, 300}), {200, 2000});
  REQUIRE(b.axes[0].listed);
  CHECK(b.axes[0].listed->ranges.size() == 200);
  CHECK_FALSE(b.axes[1].listed);
  CHECK(b.of({999, 299, 0}) == box({37, 999}, {38, 1000}));
}

TEST_CASE("indices that leave 64 bits are evaluated block by block") {
  const domain space{{100}, {1}};
  const std::vector<bound_name> names{{bound_name::kind::block, 0, std::nullopt}};
  const access_rule r = rule({slice(std::nullopt, c(std::int64_t{1} << 62) * n(0))});
  const block_boxes b = declared_boxes(r, names, space, box({0}, {100}), {10});
  CHECK(has_list(b));
  for (std::int64_t x = 0; x < 100; ++x) CHECK(b.of({x, 0, 0}) == evaluated(r, names, space, {10}, {x, 0, 0}));
}
