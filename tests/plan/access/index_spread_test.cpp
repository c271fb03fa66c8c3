#include "tessera/plan/access/index_spread.h"

#include <doctest/doctest.h>

#include "tests/plan/access_support.h"

using namespace tessera;
using namespace tessera::plan;

namespace {

/// For threads 0, ..., 99 with one name, their own number: what f(thread) gives is touched.
template <class... F>
index_spread touched_by_threads(F... f) {
  index_spread spread(1, 1);
  for (std::int64_t t = 0; t < 100; ++t) {
    const std::vector<interval> values{{t, t}};
    (spread.add({f(t)}, values), ...);
  }
  return spread;
}

using indices = std::vector<index_range>;

}  // namespace

TEST_CASE("indices at small distances from a name give a slice around it") {
  const auto same = [](std::int64_t t) { return t; };
  CHECK(touched_by_threads(same).indices() == indices{point(n(0))});
  CHECK(touched_by_threads([](std::int64_t t) { return t - 2; }, [](std::int64_t t) { return t + 1; }).indices() ==
        indices{slice(n(0) + c(-2), n(0) + c(1))});
  CHECK(touched_by_threads([](std::int64_t) { return 7; }).indices() == indices{point(c(7))});
}

TEST_CASE("indices that follow no name are all of the axis") {
  CHECK(touched_by_threads([](std::int64_t t) { return t * 5 % 100; }).indices().empty());
  index_spread rows(2, 1);
  for (std::int64_t t = 0; t < 100; ++t) {
    const std::vector<interval> values{{t, t}};
    rows.add({t, 0}, values);
    rows.add({t, 99}, values);
  }
  CHECK(rows.indices() == indices{point(n(0)), index_range{}});
}

TEST_CASE("of several names the preferred one is taken, then the nearest; one without a value never") {
  index_spread spread(1, 3);
  spread.add({10}, std::vector<interval>{{8, 8}, {10, 10}, {}});
  CHECK(spread.indices() == indices{point(n(1))});
  CHECK(spread.indices(std::vector<std::uint32_t>{1}) == indices{point(n(0) + c(2))});
  CHECK(spread.indices(std::vector<std::uint32_t>{4}) == indices{point(n(1))});
  index_spread more(1, 3);
  more.add({13}, std::vector<interval>{{8, 8}, {13, 13}, {}});
  spread.join(more);
  CHECK(spread.indices() == indices{point(n(1))});
  index_spread none(1, 3);
  none.join(spread);
  CHECK(none.indices() == spread.indices());
}

TEST_CASE("the values of names for one thread are those of a box of one thread") {
  const std::vector<bound_name> names{{bound_name::kind::global, 0, {}},
                                      {bound_name::kind::block, 1, {}},
                                      {bound_name::kind::local, 0, {}},
                                      {bound_name::kind::global, 0, 20}};
  const domain space{{100, 6}, {8, 2}};
  std::vector<interval> values;
  name_values(names, space, {2, 1}, {3, 1}, values);
  CHECK(values == std::vector<interval>{{19, 19}, {1, 1}, {3, 3}, {19, 19}});
  name_values(names, space, {2, 1}, {4, 1}, values);
  CHECK(values == std::vector<interval>{{20, 20}, {1, 1}, {4, 4}, {}});
}
