#include "tessera/plan/coherence/array_table.h"

#include <doctest/doctest.h>

using namespace tessera;
using namespace tessera::plan;

namespace {

constexpr int memories = 3;

array_state make_state() {
  const extents shape{12};
  return {shape, dtype_of<int>(), std::make_shared<tiling>(shape, extents{6}, 2, false), memories};
}

box span(std::int64_t lo, std::int64_t hi) { return {{lo}, {hi}}; }

}  // namespace

TEST_CASE("nothing is current before anything was written") {
  const array_state a = make_state();
  for (int m = 0; m < memories; ++m) CHECK(region(a.missing(m, span(0, 12))) == region(span(0, 12)));
}

TEST_CASE("a copy is current where it was written since the last new contents") {
  array_state a = make_state();
  a.invalidate(span(0, 12), a.home);
  a.note_write(0, span(0, 6), instruction_id(1));
  a.note_write(1, span(3, 12), instruction_id(2));
  CHECK(region(a.missing(0, span(0, 12))) == region(span(6, 12)));
  CHECK(region(a.missing(1, span(0, 12))) == region(span(0, 3)));

  a.invalidate(span(4, 5), a.home);
  CHECK(region(a.missing(0, span(0, 6))) == region(span(4, 5)));
  CHECK(region(a.missing(1, span(3, 12))) == region(span(4, 5)));
}

TEST_CASE("new contents forget which ranks hold the old ones") {
  array_state a = make_state();
  a.invalidate(span(0, 12), a.home);
  a.replicas.update(span(0, 12), [](array_state::ranks& r) { r.insert_ascending(1); });
  a.invalidate(span(0, 6), a.home);
  a.replicas.visit(span(0, 12),
                   [](const box& where, const array_state::ranks& r) { CHECK(r.size() == (where.lo[0] < 6 ? 0 : 1)); });
}

TEST_CASE("what every rank holds is no longer so where it got new contents") {
  array_state a = make_state();
  a.own_everywhere();
  a.invalidate(span(0, 3), a.home);
  a.owners.visit(span(0, 12), [](const box& where, const ownership& o) { CHECK(o.everywhere == (where.lo[0] >= 3)); });
}

TEST_CASE("readers up to a horizon are forgotten when another one comes") {
  array_state a = make_state();
  const instruction_id none;
  a.note_read(0, span(0, 12), instruction_id(1), none);
  a.note_read(0, span(0, 12), instruction_id(5), none);
  a.note_read(0, span(0, 12), instruction_id(9), instruction_id(4));
  std::vector<instruction_id> after;
  a.dependencies(0, span(0, 12), true, after);
  std::erase(after, none);
  CHECK(after == std::vector{instruction_id(5), instruction_id(9)});
}

TEST_CASE("a table gives out numbers for temporaries once, also after they are gone") {
  array_table table(memories);
  const array_id first = table.next_temporary();
  table.create(first, {4}, dtype_of<int>(), nullptr);
  CHECK(table.find(first) != nullptr);
  table.erase(first);
  CHECK(table.find(first) == nullptr);
  CHECK(table.next_temporary() != first);
}

TEST_CASE("a copy of a table goes its own way") {
  array_table table(memories);
  const array_id id(1);
  table.create(id, {4}, dtype_of<int>(), nullptr);
  array_table other = table;
  other.at(id).note_write(0, span(0, 4), instruction_id(3));
  other.erase(array_id(2));
  CHECK(other.tracked() > table.tracked());
  CHECK(table.at(id).users().empty());
}
