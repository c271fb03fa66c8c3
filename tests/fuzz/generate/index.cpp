#include "tests/fuzz/generate/index.h"

namespace tessera::fuzz {
namespace {

index_expr affine_of(int name) {
  index_expr e;
  e.terms = {{name, 1}};
  return e;
}

}  // namespace

int index_drawer::name(bound::kind from, std::size_t axis) {
  auto& names = launch_.definition.names;
  for (std::size_t n = 0; n < names.size(); ++n)
    if (names[n].from == from && names[n].axis == static_cast<int>(axis)) return static_cast<int>(n);
  names.push_back({from, static_cast<int>(axis), std::nullopt});
  return static_cast<int>(names.size()) - 1;
}

std::vector<index_spec> index_drawer::injective_indices(const int_list& space, rule& r) {
  std::vector<index_spec> indices(space.size());
  std::vector<std::size_t> free;
  for (std::size_t k = 0; k < space.size(); ++k) free.push_back(k);
  for (std::size_t a = 0; a < launch_.threads.size(); ++a) {
    if (launch_.threads[a] == 1 || free.empty()) continue;
    const auto pick = static_cast<std::ptrdiff_t>(random_.in(0, static_cast<std::int64_t>(free.size()) - 1));
    // Mostly as in CUDA: x is the last axis.
    const auto place = random_.percent(60) ? free.end() - 1 : free.begin() + pick;
    indices[*place] = driven_index(space[*place], a, r);
    free.erase(place);
  }
  if (space.size() == 1 && launch_.threads.size() > 1 && random_.percent(25)) flat_index(space[0], indices[0], r);
  for (const std::size_t k : free) indices[k] = fixed_index(space[k]);
  if (free.size() == space.size() && random_.percent(60)) indices.clear();
  return indices;
}

index_spec index_drawer::driven_index(std::int64_t extent, std::size_t axis, rule& r) {
  const bool by_block = random_.percent(7);
  std::int64_t& threads = launch_.threads[axis];
  if (random_.percent(10)) {
    if (threads < 0) threads = random_.log_uniform(24) * (by_block ? launch_.block[axis] : 1);
    r.leader = r.leader || by_block;
    return rows(affine_of(name(by_block ? bound::kind::block : bound::kind::global, axis)));
  }
  const std::int64_t factor = random_.percent(70) ? 1 : random_.in(2, 4);
  if (threads < 0) {
    threads = (extent + factor - 1) / factor;
    if (random_.percent(20)) threads = std::max<std::int64_t>(threads + random_.in(-2, 3), 0);
    if (by_block) threads *= launch_.block[axis];
  }
  index_expr e;
  e.terms = {{name(by_block ? bound::kind::block : bound::kind::global, axis), factor}};
  if (by_block) r.leader = true;
  if (random_.percent(20)) e.constant = random_.in(-2, 2);
  e.as_let = random_.percent(8);
  index_spec i;
  if (factor == 1 && random_.percent(8)) e.terms[0].factor = -1, e.constant += extent - 1;
  i.first = e;
  i.is_point = factor == 1 || random_.percent(25);
  if (i.is_point) return i;
  i.last = e;
  i.last->constant += factor - 1;
  if (factor > 2 && random_.percent(25)) i.step = 2;
  return i;
}

/// One array axis driven by two launch axes: width * j + i.
void index_drawer::flat_index(std::int64_t extent, index_spec& i, rule& r) {
  const std::int64_t width = random_.in(1, 12);
  launch_.threads[0] = width;
  launch_.threads[1] = (extent + width - 1) / width;
  index_expr e;
  e.terms = {{name(bound::kind::global, 1), width}, {name(bound::kind::global, 0), 1}};
  i = {};
  i.first = e;
  i.is_point = true;
  r.leader = false;
}

index_spec index_drawer::fixed_index(std::int64_t extent) {
  index_spec i;
  if (random_.percent(55)) return i;
  const auto constant = [](std::int64_t v) {
    index_expr e;
    e.constant = v;
    return e;
  };
  const std::int64_t lo = random_.in(0, extent + 1);
  if (random_.percent(75)) i.first = constant(lo);
  i.is_point = i.first && random_.percent(40);
  if (!i.is_point && random_.percent(75)) i.last = constant(random_.in(i.first ? lo : 0, extent + 1));
  if (!i.is_point && random_.percent(15)) i.step = random_.in(2, 3);
  return i;
}

std::vector<index_spec> index_drawer::any_indices(const int_list& space) {
  std::vector<index_spec> indices;
  if (space.empty() || random_.percent(15)) return indices;
  for (std::size_t k = 0; k < space.size(); ++k) {
    const std::size_t natural = space.size() - 1 - k;
    const std::size_t axis =
        natural < launch_.threads.size() && random_.percent(70)
            ? natural
            : static_cast<std::size_t>(random_.in(0, static_cast<std::int64_t>(launch_.threads.size()) - 1));
    indices.push_back(any_index(space[k], axis));
  }
  return indices;
}

index_spec index_drawer::any_index(std::int64_t extent, std::size_t axis) {
  index_spec i;
  index_expr e;
  e.terms = {{name(bound::kind::global, axis), 1}};
  e.as_let = random_.percent(8);
  switch (random_.weighted({30, 20, 14, 8, 8, 5, 5, 5, 5, 8})) {
    case 0:
      e.constant = random_.percent(60) ? 0 : random_.in(-2, 2);
      break;
    case 1:
      return around(e);
    case 2:
      return fixed_index(extent);
    case 3:
      e.divide = random_.in(2, 4), e.constant = random_.in(-1, 2);
      break;
    case 4:
      e.modulo = random_.in(2, std::max<std::int64_t>(extent, 2)), e.constant = random_.in(-1, 2);
      break;
    case 5:
      e.terms[0].factor = random_.percent(30) ? -1 : random_.in(2, 3), e.constant = random_.in(-2, extent);
      break;
    case 6:
      return by_block(axis);
    case 7:
      e.terms[0].name = name(bound::kind::local, axis);
      break;
    case 8:
      return half_open(e);
    default:
      return any_rows(e, axis);
  }
  if (random_.percent(6)) e.added = random_.in(-2, 2);
  if (random_.percent(6)) {
    const auto other = static_cast<std::size_t>(random_.in(0, static_cast<std::int64_t>(launch_.threads.size()) - 1));
    if (other != axis) e.terms.push_back({name(bound::kind::global, other), random_.in(1, 2)});
  }
  i.first = e;
  i.is_point = true;
  return i;
}

index_spec index_drawer::around(const index_expr& e) {
  index_spec i;
  const std::int64_t factor = random_.percent(80) ? 1 : 2;
  i.first = i.last = e;
  i.first->terms[0].factor = i.last->terms[0].factor = factor;
  i.first->constant = -random_.in(0, 2);
  i.last->constant = random_.in(-1, 2);
  if (random_.percent(15)) i.step = 2;
  return i;
}

index_spec index_drawer::by_block(std::size_t axis) {
  index_spec i;
  index_expr e;
  e.terms = {{name(bound::kind::block, axis), random_.percent(50) ? 1 : launch_.block[axis]}};
  i.first = i.last = e;
  i.is_point = random_.percent(40);
  if (i.is_point)
    i.last.reset();
  else
    i.last->constant = launch_.block[axis] - 1;
  return i;
}

/// What the rows are is drawn when the launch is complete: see `draw_tables`.
index_spec index_drawer::rows(index_expr row) {
  constexpr std::size_t most = 4;
  std::vector<row_table>& tables = launch_.definition.tables;
  if (tables.empty() || (tables.size() < most && random_.percent(65))) tables.emplace_back();
  index_spec i;
  i.first = std::move(row);
  i.table = static_cast<int>(random_.in(0, static_cast<std::int64_t>(tables.size()) - 1));
  return i;
}

/// Rows by expressions that are never negative.
index_spec index_drawer::any_rows(index_expr row, std::size_t axis) {
  switch (random_.weighted({50, 15, 10, 10, 10, 5})) {
    case 0:
      break;
    case 1:
      row.constant = random_.in(1, 3);
      break;
    case 2:
      row.divide = random_.in(2, 4);
      break;
    case 3:
      row.modulo = random_.in(1, 6);
      break;
    case 4:
      row.terms[0] = {name(random_.percent(50) ? bound::kind::block : bound::kind::local, axis), random_.in(1, 2)};
      break;
    default:
      row.terms.clear();
      row.constant = random_.in(0, 3);
  }
  return rows(std::move(row));
}

index_spec index_drawer::half_open(const index_expr& e) {
  index_spec i;
  (random_.percent(50) ? i.first : i.last) = e;
  return i;
}

}  // namespace tessera::fuzz
