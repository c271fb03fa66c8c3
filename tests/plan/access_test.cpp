#include "tessera/plan/access/access.h"

#include <doctest/doctest.h>

#include <array>
#include <limits>

#include "tessera/base/error.h"
#include "tessera/plan/access/text.h"
#include "tests/plan/access_support.h"

using namespace tessera;
using namespace tessera::plan;

namespace {

using op = expression::op;

constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

interval value(const expression& e, interval i) { return e.evaluate(std::array{i}); }

std::vector<box> boxes(const access_rule& r, std::vector<interval> names, const extents& shape) {
  std::vector<box> out;
  CHECK(evaluate(r, names, shape, out));
  return out;
}

}  // namespace

TEST_CASE("padding threads count only where they are asked for") {
  const domain d{.size = {10, 3}, .granule = {4, 2}};
  CHECK(d.granules() == extents{3, 2});
  const std::vector<bound_name> names{{bound_name::kind::global, 0, {}},
                                      {bound_name::kind::block, 0, {}},
                                      {bound_name::kind::local, 0, {}},
                                      {bound_name::kind::global, 1, 2},
                                      {bound_name::kind::global, 2, {}}};
  const box last{{2, 0}, {3, 2}};
  CHECK(name_intervals(names, d, last, padding::exclude) ==
        std::vector<interval>{{8, 9}, {2, 2}, {0, 1}, {0, 1}, {0, 0}});
  CHECK(name_intervals(names, d, last, padding::include) ==
        std::vector<interval>{{8, 11}, {2, 2}, {0, 3}, {0, 1}, {0, 0}});
}

TEST_CASE("division rounds down and a modulus is exact within one period") {
  CHECK(value(n(0) / c(4), {-5, 7}) == interval{-2, 1});
  CHECK(value(n(0) % c(4), {5, 7}) == interval{1, 3});
  CHECK(value(n(0) % c(4), {-3, -1}) == interval{1, 3});
  CHECK(value(n(0) % c(4), {3, 4}) == interval{0, 3});
  CHECK(value(c(10) - c(3) * n(0), {1, 2}) == interval{4, 7});
  CHECK(value(expression::combine(op::minimum, n(0), c(5)), {3, 9}) == interval{3, 5});
  CHECK(value(n(0) * n(0), {-2, 3}) == interval{-6, 9});
}

TEST_CASE("bounds that leave 64 bits saturate and stay bounds") {
  CHECK(value(n(0) + c(greatest), {0, 5}) == interval{greatest, greatest});
  CHECK(value(n(0) * c(greatest), {-2, 2}) == interval{least, greatest});
  CHECK(value((n(0) * c(std::int64_t{1} << 62)) / c(std::int64_t{1} << 60), {1, 10}) == interval{4, greatest});
  CHECK(value((n(0) * c(-(std::int64_t{1} << 62))) / c(std::int64_t{1} << 60), {1, 10}) == interval{least, -4});
  CHECK(value((n(0) * c(std::int64_t{1} << 62)) % c(7), {8, 8}) == interval{0, 6});
  CHECK(boxes(rule({slice(n(0) * c(greatest), std::nullopt)}), {{-3, 3}}, {10}) == std::vector{box{{0}, {10}}});
}

TEST_CASE("constants fold into one normal form however they are written") {
  CHECK(c(4) * (n(0) + c(1)) - c(1) == n(0) * c(4) + c(3));
  CHECK(c(1) + (n(0) + (n(1) + c(2))) == (n(0) + n(1)) + c(3));
  CHECK(n(0) * c(0) + c(7) == c(7));
  CHECK(c(3) - (c(1) - n(0)) == n(0) + c(2));
  CHECK((n(0) + c(9)) / c(4) == (n(0) + c(1)) / c(4) + c(2));
  CHECK((n(0) + c(9)) % c(4) == (n(0) + c(1)) % c(4));
  CHECK_THROWS_AS(c(greatest) + c(1), argument_error);
  CHECK_THROWS_AS(n(0) / c(0), argument_error);
  CHECK_THROWS_AS(n(0) % n(1), argument_error);
}

TEST_CASE("an expression that is nested too deeply is refused") {
  expression e = n(0);
  const auto nest = [&] {
    for (int k = 0; k < 100; ++k) e = expression::combine(op::minimum, n(0), e);
  };
  CHECK_THROWS_AS(nest(), argument_error);
}

TEST_CASE("an expression of a name that is clipped away is empty, whatever becomes of its value") {
  const interval gone{};
  CHECK(value(n(0) % c(1), gone).empty());
  CHECK(value((n(0) + c(3)) % c(1) + c(5), gone).empty());
  CHECK(value(n(0) % c(1), {3, 9}) == interval{0, 0});
  CHECK(value((n(0) * c(2) + c(3)) % c(1) + c(5), {3, 9}) == interval{5, 5});
  CHECK(value((n(0) % c(1)) % c(1) / c(4), {3, 9}) == interval{0, 0});
  CHECK(is_dense(rule({point(n(0) % c(1))})));
}

TEST_CASE("slices hold both their ends and are clipped to the array") {
  CHECK(boxes(rule({slice(n(0) - c(1), n(0) + c(1))}), {{0, 3}}, {100}) == std::vector{box{{0}, {5}}});
  CHECK(boxes(rule({slice(n(0) - c(1), n(0) + c(1))}), {{96, 99}}, {100}) == std::vector{box{{95}, {100}}});
  CHECK(boxes(rule({point(n(0))}), {{100, 120}}, {100}).empty());
  CHECK(boxes(rule({slice(c(5), c(4))}), {}, {100}).empty());
  CHECK(boxes(rule({}), {}, {4, 5}) == std::vector{box::whole({4, 5})});
  CHECK(boxes(rule({point(n(0))}), {interval{}}, {100}).empty());
  CHECK(boxes(rule({}), {}, {0}).empty());
  CHECK(boxes(rule({}), {}, {}) == std::vector{box{}});
}

TEST_CASE("a strided slice gives the hull of its elements") {
  CHECK(boxes(rule({slice(c(1), c(10), 4)}), {}, {100}) == std::vector{box{{1}, {10}}});
  CHECK(boxes(rule({slice(c(-3), std::nullopt, 4)}), {}, {8}) == std::vector{box{{1}, {6}}});
  CHECK(boxes(rule({slice(c(-3), c(0), 5)}), {}, {8}).empty());
  CHECK(boxes(rule({slice(c(least), c(7), 5)}), {}, {8}) == std::vector{box{{0}, {8}}});
}

TEST_CASE("tiles, shifted points and prefixes are dense; strides, remainders and diagonals are not") {
  CHECK(is_dense(rule({slice(c(8) * n(0), c(8) * n(0) + c(7))})));
  CHECK(is_dense(rule({slice(c(8) * n(0), c(8) * (n(0) + c(1)) - c(1)), point(n(1))})));
  CHECK(is_dense(rule({slice(std::nullopt, n(0) * c(3))})));
  const expression last = expression::combine(op::minimum, c(8) * n(0) + c(7), c(20));
  CHECK(is_dense(rule({slice(c(8) * n(0), last)})));
  CHECK(is_dense(rule({slice(c(8) * n(0) + c(5), last + c(5)), point(n(1))})));
  CHECK(boxes(rule({slice(c(8) * n(0) + c(5), last + c(5))}), {{1, 6}}, {100}) == std::vector{box{{13}, {26}}});
  CHECK(boxes(rule({slice(c(8) * n(0) + c(5), last + c(5))}), {{3, 6}}, {100}).empty());
  CHECK_FALSE(is_dense(rule({slice(c(8) * n(0) + c(1), last)})));
  CHECK_FALSE(is_dense(rule({slice(c(16) * n(0), last)})));
  CHECK(is_dense(rule({point(n(0) / c(32)), slice(std::nullopt, std::nullopt)})));
  CHECK_FALSE(is_dense(rule({slice(c(8) * n(0), c(8) * n(0) + c(6))})));
  CHECK_FALSE(is_dense(rule({point(c(2) * n(0))})));
  CHECK_FALSE(is_dense(rule({point(n(0) % c(8))})));
  CHECK_FALSE(is_dense(rule({slice(c(0), c(9), 2)})));
  CHECK_FALSE(is_dense(rule({point(n(0)), point(n(0))})));
}

TEST_CASE("names of one launch axis depend on each other, so a rule with both is not dense") {
  const std::vector<bound_name> same{{bound_name::kind::global, 0, {}}, {bound_name::kind::block, 0, {}}};
  const std::vector<bound_name> different{{bound_name::kind::global, 0, {}}, {bound_name::kind::block, 1, {}}};
  CHECK_FALSE(is_dense(rule({point(n(0)), point(n(1))}), same));
  CHECK(is_dense(rule({point(n(0)), point(n(1))}), different));
}

TEST_CASE("a view gives one box for whole rows, one per row for columns, and clips the last row") {
  const storage_view rows{{4, 10}, 0};
  CHECK(boxes(rule({point(n(0)), slice({}, {})}, rows), {{1, 2}}, {40}) == std::vector{box{{10}, {30}}});
  CHECK(boxes(rule({slice({}, {}), point(n(0))}, rows), {{2, 3}}, {35}) ==
        std::vector{box{{2}, {4}}, box{{12}, {14}}, box{{22}, {24}}, box{{32}, {34}}});
  CHECK(boxes(rule({point(c(3)), slice({}, {})}, rows), {}, {35}) == std::vector{box{{30}, {35}}});
  CHECK(boxes(rule({point(c(1)), point(n(0))}, storage_view{{4, 10}, 3}), {{0, 1}}, {40}) ==
        std::vector{box{{13}, {15}}});
}

TEST_CASE("whole rows of a view lie together however many they are") {
  const access_rule rows = rule({point(n(0)), slice({}, {})}, storage_view{{1'000'000, 10}, 5});
  CHECK(boxes(rows, {{100'000, 899'999}}, {20'000'000}) == std::vector{box{{1'000'005}, {9'000'005}}});
}

TEST_CASE("a view of an array of higher rank gives boxes of the array's own shape") {
  CHECK(boxes(rule({point(n(0)), point(n(1))}, storage_view{{6, 5}, 0}), {{1, 2}, {0, 1}}, {6, 5}) ==
        std::vector{box{{1, 0}, {3, 2}}});
  CHECK(boxes(rule({slice(c(7), c(22))}, storage_view{{30}, 0}), {}, {6, 5}) ==
        std::vector{box{{1, 2}, {2, 5}}, box{{2, 0}, {4, 5}}, box{{4, 0}, {5, 3}}});
  CHECK(boxes(rule({slice({}, {}), slice({}, {}), slice(c(1), c(2))}, storage_view{{3, 2, 5}, 0}), {}, {6, 5}) ==
        std::vector{box{{0, 1}, {6, 3}}});
}

TEST_CASE("a view in more pieces than allowed gives their hull and says so") {
  const access_rule column = rule({slice({}, {}), point(c(2))}, storage_view{{5000, 10}, 0});
  std::vector<box> out{box{{7}, {8}}};
  CHECK_FALSE(evaluate(column, {}, {50000}, out));
  CHECK(out == std::vector{box{{7}, {8}}, box{{2}, {49993}}});
}

TEST_CASE("rules are printed as an annotation would have them") {
  const std::vector<std::string> parameters{"n", "input"};
  const std::vector<std::string> bound{"i", "j"};
  access_rule r = rule({slice(n(0) - c(1), n(0) + c(1))});
  r.parameter = 1;
  CHECK(to_string(r, {parameters, bound}) == "read input[i-1:i+1]");
  r.mode = access_mode::reduce;
  r.op = reduce_op::max;
  r.view = storage_view{{8, 4}, 2};
  r.indices = {point(c(4) * (n(0) - n(1)) % c(3)), slice({}, n(1) / c(2), 2)};
  CHECK(to_string(r, {parameters, bound}) == "reduce(max) input as [8, 4] at 2 [4*(i-j)%3, :j/2:2]");
  const std::vector<std::string> operations{"argmin"};
  access_rule own = rule({});
  own.mode = access_mode::reduce;
  own.op = registered_op(0);
  CHECK(to_string(own, {parameters, bound, operations}) == "reduce(argmin) n");
  CHECK(to_string(own, {parameters, bound}) == "reduce(registered 0) n");
}
