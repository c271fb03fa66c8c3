#include "tessera/plan/coherence/array_table.h"

#include <doctest/doctest.h>

#include <algorithm>

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
  a.replicas.visit(span(0, 12), [](const box& bounds, const array_state::ranks& r) {
    CHECK(r.size() == (bounds.lo[0] < 6 ? 0 : 1));
  });
}

TEST_CASE("what every rank holds is no longer so where it got new contents") {
  array_state a = make_state();
  a.own_everywhere();
  a.invalidate(span(0, 3), a.home);
  a.owners.visit(span(0, 12),
                 [](const box& bounds, const ownership& o) { CHECK(o.everywhere == (bounds.lo[0] >= 3)); });
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

TEST_CASE("an array that was written element by element is one piece again when its writers have ended") {
  const extents shape{1000};
  array_state a(shape, dtype_of<int>(), std::make_shared<tiling>(shape, extents{500}, 2, false), memories);
  a.invalidate(box::whole(shape), a.home);
  a.note_write(0, span(0, 500), instruction_id(1));
  a.note_write(1, span(500, 1000), instruction_id(2));
  std::size_t most = 0;
  for (std::uint64_t i = 3; i < 5000; ++i) {
    const auto x = static_cast<std::int64_t>(i * 617 % 1000);
    const instruction_id ended(i > 20 ? i - 20 : 0);
    a.invalidate(span(x, x + 1), a.home, ended);
    a.note_write(x < 500 ? 0 : 1, span(x, x + 1), instruction_id(i), ended);
    most = std::max(most, a.tracked());
  }
  CHECK(most < 500);
  CHECK(a.missing(0, span(0, 500)).empty());
  CHECK(a.missing(1, span(500, 1000)).empty());
  CHECK(region(a.missing(1, span(0, 500))) == region(span(0, 500)));
}

TEST_CASE("joining the owners of an array keeps who owns what and which copies are current") {
  const extents shape{400};
  const auto home = std::make_shared<tiling>(shape, extents{200}, 2, false);
  array_state a(shape, dtype_of<int>(), home, memories);
  a.invalidate(box::whole(shape), a.home);
  a.note_write(0, span(0, 200), {});
  a.note_write(1, span(200, 400), {});
  a.note_write(2, span(0, 400), {});
  for (std::int64_t x = 0; x < 400; x += 2) {  // every other element belongs to device 1 from now on
    const auto one = std::make_shared<listed_parts>(shape, std::vector<partition::piece>{{span(0, 400), 1, 0}});
    a.invalidate(span(x, x + 1), one);
    a.note_write(1, span(x, x + 1), {});
  }
  std::vector<partition::piece> pieces;
  a.owners.visit(box::whole(shape),
                 [&](const box& b, const ownership& o) { std::get<partition_ptr>(o.from)->pieces(b, pieces); });
  for (const partition::piece& p : pieces)
    for (std::int64_t x = p.bounds.lo[0]; x < p.bounds.hi[0]; ++x) CHECK(p.device == (x % 2 == 0 || x >= 200 ? 1 : 0));
  std::vector<box> odd, even;
  for (std::int64_t x = 0; x < 400; ++x) (x % 2 == 0 ? even : odd).push_back(span(x, x + 1));
  CHECK(region(a.missing(2, span(0, 400))) == region(even));
  CHECK(region(a.missing(0, span(0, 200))) == intersect(region(even), region(span(0, 200))));
  CHECK(a.missing(1, region(even)).empty());
}
