#include "tests/fuzz/program/declared.h"

namespace tessera::fuzz {
namespace {

struct bounds {
  std::int64_t lo = 0, hi = -1;
  [[nodiscard]] bool empty() const { return lo > hi; }
};

bounds bounds_of(const bound& n, const grid& g, const block_box& part) {
  const auto axis = static_cast<std::size_t>(n.axis);
  bounds b{0, 0};
  if (axis < g.size.size()) {
    switch (n.from) {
      case bound::kind::global:
        b = {part.lo[axis] * g.block[axis], part.hi[axis] * g.block[axis] - 1};
        break;
      case bound::kind::block:
        b = {part.lo[axis], part.hi[axis] - 1};
        break;
      default:
        b = {0, g.block[axis] - 1};
    }
  }
  if (n.below) b.hi = std::min(b.hi, *n.below - 1);
  return b;
}

bounds bounds_of(const index_expr& e, const std::vector<bounds>& names) {
  bounds b{e.constant, e.constant};
  for (const index_expr::term& t : e.terms) {
    const bounds& n = names[static_cast<std::size_t>(t.name)];
    if (n.empty()) return {};
    b.lo += t.factor * (t.factor < 0 ? n.hi : n.lo);
    b.hi += t.factor * (t.factor < 0 ? n.lo : n.hi);
  }
  b = {values::floor_div(b.lo, e.divide), values::floor_div(b.hi, e.divide)};
  if (e.modulo > 0) {
    const bool one_period = values::floor_div(b.lo, e.modulo) == values::floor_div(b.hi, e.modulo);
    b = one_period ? bounds{values::floor_mod(b.lo, e.modulo), values::floor_mod(b.hi, e.modulo)}
                   : bounds{0, e.modulo - 1};
  }
  return {b.lo + e.added, b.hi + e.added};
}

}  // namespace

int_list blocks_of(const grid& g) {
  int_list n = g.size;
  for (std::size_t k = 0; k < n.size(); ++k) n[k] = (n[k] + g.block[k] - 1) / g.block[k];
  return n;
}

std::vector<block_box> superblocks(const grid& g, const int_list& pieces) {
  const int_list all = blocks_of(g);
  int_list step = all, count = all;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (k < pieces.size() && pieces[k] > 0) step[k] = (pieces[k] + g.block[k] - 1) / g.block[k];
    count[k] = all[k] == 0 ? 0 : (all[k] + step[k] - 1) / step[k];
  }
  std::vector<block_box> result;
  visit_points(int_list(all.size(), 0), count, [&](std::span<const std::int64_t> x) {
    block_box b{all, all};
    for (std::size_t k = 0; k < all.size(); ++k) {
      b.lo[k] = x[k] * step[k];
      b.hi[k] = std::min(b.lo[k] + step[k], all[k]);
    }
    result.push_back(std::move(b));
  });
  return result;
}

namespace {

std::size_t axis_of(const launch_op& l) {
  if (l.axis >= 0) return static_cast<std::size_t>(l.axis);
  std::size_t axis = l.threads.size() - 1;
  while (axis > 0 && l.threads[axis] <= 1) --axis;
  return axis;
}

}  // namespace

std::vector<thread_range> ranges_of(const launch_op& l) {
  const std::size_t axis = axis_of(l);
  std::vector<thread_range> result;
  std::int64_t lo = 0;
  for (const slab& s : l.slabs) {
    const bool last = &s == &l.slabs.back();
    const std::int64_t hi = last ? l.threads[axis] : std::min(l.threads[axis], lo + s.blocks * l.block[axis]);
    result.push_back({lo, hi, s.device});
    lo = hi;
  }
  return result;
}

std::vector<block_box> superblocks(const grid& g, const launch_op& l) {
  if (l.split_form == launch_op::split::blocks) return superblocks(g, l.pieces);
  const std::size_t axis = axis_of(l);
  const int_list all = blocks_of(g);
  std::vector<block_box> result;
  if (volume(all) == 0) return result;
  for (const thread_range& r : ranges_of(l)) {
    block_box b{int_list(all.size(), 0), all};
    b.lo[axis] = (r.lo + g.block[axis] - 1) / g.block[axis];
    b.hi[axis] = (r.hi + g.block[axis] - 1) / g.block[axis];
    if (r.lo < r.hi) result.push_back(std::move(b));
  }
  return result;
}

std::vector<index_box> declared_indices(const kernel& k, const grid& g, const block_box& part, const int_list& space,
                                        const rule& r) {
  std::vector<bounds> names;
  for (const bound& n : k.names) names.push_back(bounds_of(n, g, part));
  index_box all;
  all.rank = space.size();
  std::vector<index_box> boxes;
  for (std::size_t a = 0; a < all.rank; ++a) {
    all.first[a] = 0, all.last[a] = space[a] - 1, all.step[a] = 1;
    if (r.indices.empty() || r.indices[a].table >= 0) continue;
    const index_spec& i = r.indices[a];
    const bounds first = i.first ? bounds_of(*i.first, names) : bounds{0, 0};
    const bounds last = i.is_point ? first : i.last ? bounds_of(*i.last, names) : bounds{space[a] - 1, space[a] - 1};
    if (first.empty() || last.empty()) return boxes;
    all.first[a] = first.lo, all.last[a] = last.hi;
    if (i.step > 1 && first.lo == first.hi) {  // a slice that begins at one place declares its own elements' hull
      while (all.first[a] < 0) all.first[a] += i.step;
      const std::int64_t end = std::min(all.last[a], space[a] - 1);
      if (end >= all.first[a]) all.last[a] = end - (end - all.first[a]) % i.step;
    }
  }
  boxes.push_back(all);
  for (std::size_t a = 0; a < r.indices.size(); ++a) {  // each row on its own
    if (r.indices[a].table < 0) continue;
    const row_table& table = k.tables[static_cast<std::size_t>(r.indices[a].table)];
    const bounds asked = bounds_of(*r.indices[a].first, names);
    std::vector<index_box> of_rows;
    for (std::int64_t row = std::max<std::int64_t>(asked.lo, 0); row <= std::min(asked.hi, table.size() - 1); ++row)
      for (index_box b : boxes) put_row(table, row, b, a), of_rows.push_back(b);
    boxes = std::move(of_rows);
  }
  return boxes;
}

row_range rows_asked(const kernel& k, const grid& g, const index_spec& i) {
  std::vector<bounds> names;
  for (const bound& n : k.names) {
    bounds b = bounds_of(n, g, {int_list(g.size.size(), 0), blocks_of(g)});
    const auto axis = static_cast<std::size_t>(n.axis);
    // Threads that only fill the last block ask for nothing.
    if (axis < g.size.size() && n.from != bound::kind::block) b.hi = std::min(b.hi, g.size[axis] - 1);
    names.push_back(b);
  }
  const bounds rows = bounds_of(*i.first, names);
  return {rows.lo, rows.hi};
}

row_range reach_of(const parameter& p, const span_box& part, const int_list& array, std::size_t axis) {
  if (p.view) return {0, p.view->shape[axis] - 1};
  return {-part.lo[axis], array[axis] - part.lo[axis] - 1};
}

}  // namespace tessera::fuzz
