#include "tessera/plan/split/launch_grid.h"

#include <algorithm>

#include "tessera/base/defects.h"

namespace tessera::plan {
namespace {

bool counts_as(const access_rule& rule, touch kind) {
  switch (kind) {
    case touch::read:
      return reads(rule.mode) || writes(rule.mode);  // writes may leave gaps: see evaluate_rules
    case touch::write:
      return writes(rule.mode);
    default:
      return combines(rule.mode);
  }
}

}  // namespace

launch_grid::launch_grid(launch_shape shape, std::vector<std::vector<std::int64_t>> cuts)
    : shape_(std::move(shape)), cuts_(std::move(cuts)) {
  const int rank = shape_.space.size.rank();
  positions_ = box::whole(extents::uniform(rank, 0));
  for (int a = 0; a < rank; ++a) {
    positions_.hi[a] = static_cast<std::int64_t>(cuts_[index(a)].size()) - 1;
    size_ *= positions_.hi[a];
  }
  used_.assign(shape_.slots.size(), 0);
  for (const slot_use& use : shape_.uses)
    for (const access_rule& rule : shape_.accesses->rules)
      if (rule.parameter == use.parameter)
        for (const touch kind : {touch::read, touch::write, touch::combine})
          if (counts_as(rule, kind)) used_[index(use.slot)] |= 1U << static_cast<int>(kind);
}

box launch_grid::part(std::int64_t number) const { return granules(position(number)); }

box launch_grid::position(std::int64_t number) const {
  box here = positions_;
  for (int a = 0; a < positions_.rank(); ++a) {
    here.lo[a] = number % positions_.hi[a];
    here.hi[a] = here.lo[a] + 1;
    number /= positions_.hi[a];
  }
  return here;
}

std::int64_t launch_grid::index_of(const extents& position) const {
  std::int64_t number = 0;
  for (int a = positions_.rank() - 1; a >= 0; --a) number = number * positions_.hi[a] + position[a];
  return number;
}

box launch_grid::granules(const box& part_box) const {
  box g = part_box;
  for (int a = 0; a < part_box.rank(); ++a) {
    g.lo[a] = cuts_[index(a)][static_cast<std::size_t>(part_box.lo[a])];
    g.hi[a] = cuts_[index(a)][static_cast<std::size_t>(part_box.hi[a])];
  }
  return g;
}

void launch_grid::touched(int slot, touch kind, const box& part_box, std::vector<box>& out) const {
  touched_by(slot, kind, granules(part_box), out);
}

void launch_grid::touched_by(int slot, touch kind, const box& granules, std::vector<box>& out) const {
  const access_pattern& pattern = *shape_.accesses;
  const std::vector<interval> all = name_intervals(pattern.names, shape_.space, granules, padding::include);
  const std::vector<interval> inner = name_intervals(pattern.names, shape_.space, granules, padding::exclude);
  for (const slot_use& use : shape_.uses) {
    if (use.slot != slot) continue;
    const std::size_t first = out.size();
    extents view_shape = use.slice.hi;
    for (int k = 0; k < view_shape.rank(); ++k) view_shape[k] -= use.slice.lo[k];
    for (const access_rule& rule : pattern.rules) {
      if (rule.parameter != use.parameter || !counts_as(rule, kind)) continue;
      if (kind == touch::read && rule.mode == access_mode::write && is_dense(rule, pattern.names)) {
        // Rule A3: what only padding threads declare for writing keeps its old contents, so it is read as well; and so
        // is everything where more is declared than written.
        std::vector<box> padded, exact;
        const bool hull_taken = !evaluate(rule, all, view_shape, padded);
        evaluate(rule, inner, view_shape, exact);
        if (planted("padding_not_read") || (padded == exact && !hull_taken)) continue;
        if (hull_taken) exact.clear();
        const region extra = subtract(region(std::move(padded)), region(std::move(exact)));
        out.insert(out.end(), extra.boxes().begin(), extra.boxes().end());
      } else {
        evaluate(rule, all, view_shape, out);
      }
    }
    for (std::size_t i = first; i < out.size(); ++i) out[i] = translate(out[i], use.slice.lo);
    if (planted("slice_off_by_one") && kind == touch::read && out.size() > first && use.slice.lo[0] > 0)
      --out[first].hi[0];
  }
}

void launch_grid::bounds(int slot, touch kind, const box& part_box, std::vector<box>& out) const {
  const access_pattern& pattern = *shape_.accesses;
  const std::vector<interval> all = name_intervals(pattern.names, shape_.space, granules(part_box), padding::include);
  for (const slot_use& use : shape_.uses) {
    if (use.slot != slot) continue;
    const std::size_t first = out.size();
    const extents view_shape = use.slice.shape();
    for (const access_rule& rule : pattern.rules)
      if (rule.parameter == use.parameter && counts_as(rule, kind)) evaluate_bounds(rule, all, view_shape, out);
    for (std::size_t i = first; i < out.size(); ++i) out[i] = translate(out[i], use.slice.lo);
  }
}

box launch_grid::reach(int slot, touch kind) const {
  box around;
  std::vector<box> boxes;
  for (std::int64_t part = 0; part < size_; ++part) {
    boxes.clear();
    touched(slot, kind, position(part), boxes);
    for (const box& b : boxes) around = around.rank() == 0 ? b : hull(around, b);
  }
  return around;
}

std::vector<footprint> launch_grid::footprints(const box& granules) const {
  std::vector<footprint> result(shape_.slots.size());
  const auto evaluated = [&](int slot, touch kind) {
    std::vector<box> boxes;
    if (touches(slot, kind)) touched_by(slot, kind, granules, boxes);
    return region(std::move(boxes));
  };
  for (int slot = 0; slot < static_cast<int>(result.size()); ++slot)
    result[index(slot)] = {evaluated(slot, touch::read), evaluated(slot, touch::write),
                           evaluated(slot, touch::combine)};
  return result;
}

launch_parts::launch_parts(std::shared_ptr<const launch_grid> grid, std::shared_ptr<const std::vector<int>> devices,
                           int slot, touch kind)
    : grid_(std::move(grid)), devices_(std::move(devices)), slot_(slot), kind_(kind) {
  const extents& shape = grid_->shape().slots[static_cast<std::size_t>(slot)].shape;
  if (kind != touch::write || grid_->size() > most_indexed) return;
  index_.emplace(box::whole(shape), no_part);
  std::vector<box> boxes;
  for (std::int64_t part = 0; part < grid_->size(); ++part) {
    boxes.clear();
    grid_->touched(slot_, kind_, grid_->position(part), boxes);
    for (const box& b : boxes) index_->assign(b, static_cast<std::int32_t>(part));
  }
}

void launch_parts::append(std::int64_t part, const box& query, std::vector<piece>& out) const {
  std::vector<box> boxes;
  grid_->touched(slot_, kind_, grid_->position(part), boxes);
  for (box& b : boxes) b = intersect(b, query);
  const region exact(std::move(boxes));
  const int device = (*devices_)[static_cast<std::size_t>(part)];
  for (const box& b : exact.boxes()) out.push_back({b, device, part});
}

void launch_parts::search(const box& part_box, const box& query, std::vector<piece>& out) const {
  std::vector<box> boxes;
  grid_->bounds(slot_, kind_, part_box, boxes);
  if (std::none_of(boxes.begin(), boxes.end(), [&](const box& b) { return b.overlaps(query); })) return;
  if (part_box.volume() == 1) return append(grid_->index_of(part_box.lo), query, out);

  int axis = 0;
  for (int a = 1; a < part_box.rank(); ++a)
    if (part_box.extent(a) > part_box.extent(axis)) axis = a;
  box lower = part_box, upper = part_box;
  lower.hi[axis] = upper.lo[axis] = part_box.lo[axis] + part_box.extent(axis) / 2;
  search(lower, query, out);
  search(upper, query, out);
}

void launch_parts::pieces(const box& query, std::vector<piece>& out) const {
  if (query.empty()) return;
  const std::size_t first = out.size();
  if (index_)
    index_->visit(query, [&](const box& b, std::int32_t part) {
      if (part != no_part) out.push_back({b, (*devices_)[static_cast<std::size_t>(part)], part});
    });
  else
    search(grid_->positions(), query, out);
  // Bring them into the order of superblocks, however they were found.
  if (out.size() - first > 1)
    std::stable_sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                     [](const piece& a, const piece& b) { return a.part < b.part; });
}

void launch_parts::pieces_of(int first, int last, const box& query, std::vector<piece>& out) const {
  for (std::size_t part = 0; part < devices_->size(); ++part) {
    const int device = (*devices_)[part];
    if (first <= device && device < last) append(static_cast<std::int64_t>(part), query, out);
  }
}

}  // namespace tessera::plan
