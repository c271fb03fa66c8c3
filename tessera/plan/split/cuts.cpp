#include "tessera/plan/split/cuts.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "tessera/base/checked.h"
#include "tessera/base/index.h"

namespace tessera::plan {
namespace {

/// Sorts, drops duplicates and what is outside (0, end), and puts 0 and `end` at the ends.
std::vector<std::int64_t> tidy(std::vector<std::int64_t> cuts, std::int64_t end) {
  std::erase_if(cuts, [&](std::int64_t c) { return c <= 0 || c >= end; });
  cuts.push_back(0);
  cuts.push_back(end);
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  return cuts;
}

/// The one axis of the launch that `e` depends on, if there is exactly one and it can be cut.
std::optional<int> driving_axis(const access_pattern& pattern, const expression& e) {
  std::optional<int> axis;
  for (std::uint32_t used = e.names_used(); used != 0; used &= used - 1) {
    const bound_name& name = pattern.names[index(std::countr_zero(used))];
    if (name.from == bound_name::kind::local) continue;
    if (axis && *axis != name.axis) return std::nullopt;
    axis = name.axis;
  }
  return axis;
}

/// The first element that an index touches from these intervals on, if it grows with them.
std::int64_t first_touched(const index_range& range, std::span<const interval> names) {
  const std::int64_t first = range.first->evaluate(names).lo;
  if (!range.table) return first;
  const std::int64_t row = range.table->rows.next_filled(first);
  return row < range.table->rows.size() ? range.table->rows[row].lo : std::numeric_limits<std::int64_t>::max();
}

/// The first granule on `axis` from which an index touches nothing before `target`, if it grows along the axis.
std::int64_t granule_reaching(const launch_shape& shape, const index_range& range, int axis, std::int64_t target) {
  const extents count = shape.space.granules();
  box one = box::whole(extents::uniform(count.rank(), 1));
  std::int64_t low = 0, high = count[axis];
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    one.lo[axis] = middle;
    one.hi[axis] = middle + 1;
    const auto names = name_intervals(shape.accesses->names, shape.space, one, padding::include);
    const bool beyond = std::any_of(names.begin(), names.end(), [](const interval& i) { return i.empty(); });
    if (beyond || first_touched(range, names) >= target)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// Where the home of a use's array changes device along axis `k` of what the rule indexes.
std::vector<std::int64_t> home_cuts(const launch_shape& shape, const slot_use& use, const access_rule& rule, int k) {
  const array_slot& slot = shape.slots[index(use.slot)];
  std::vector<std::int64_t> cuts;
  if (!rule.view) {
    for (const std::int64_t c : slot.home->cuts(k)) cuts.push_back(c - use.slice.lo[k]);
    return cuts;
  }
  if (k != 0) return cuts;
  std::int64_t array_row = 1, view_row = 1;  // elements per step of the leading axis
  for (int a = 1; a < slot.shape.rank(); ++a) array_row *= slot.shape[a];
  for (int a = 1; a < rule.view->shape.rank(); ++a) view_row *= rule.view->shape[a];
  if (view_row <= 0) return cuts;
  for (const std::int64_t c : slot.home->cuts(0)) {
    const std::int64_t element = (c - use.slice.lo[0]) * array_row - rule.view->offset;
    if (element > 0) cuts.push_back(ceil_div(element, view_row));
  }
  return cuts;
}

const access_rule* leading_rule(const launch_shape& shape, int slot, const slot_use*& use) {
  const access_rule* reading = nullptr;
  const slot_use* reading_use = nullptr;
  for (const slot_use& u : shape.uses) {
    if (u.slot != slot) continue;
    for (const access_rule& rule : shape.accesses->rules) {
      if (rule.parameter != u.parameter || rule.indices.empty()) continue;
      if (writes(rule.mode)) {
        use = &u;
        return &rule;
      }
      if (reading == nullptr) reading = &rule, reading_use = &u;
    }
  }
  use = reading_use;
  return reading;
}

/// True if the writes of the granules just before and just after a cut of `axis` at `c` meet.
bool writes_meet(const launch_grid& grid, int axis, std::int64_t c) {
  box before = box::whole(grid.shape().space.granules()), after = before;
  before.lo[axis] = c - 1, before.hi[axis] = c;
  after.lo[axis] = c, after.hi[axis] = c + 1;
  std::vector<box> left, right;
  for (int slot = 0; slot < static_cast<int>(grid.shape().slots.size()); ++slot) {
    left.clear(), right.clear();
    grid.touched_by(slot, touch::write, before, left);
    grid.touched_by(slot, touch::write, after, right);
    for (const box& l : left)
      for (const box& r : right)
        if (l.overlaps(r)) return true;
  }
  return false;
}

}  // namespace

std::optional<int> leading_slot(const launch_shape& shape) {
  std::optional<int> reading;
  for (const slot_use& use : shape.uses) {
    for (const access_rule& rule : shape.accesses->rules) {
      if (rule.parameter != use.parameter) continue;
      if (writes(rule.mode)) return use.slot;
      if (!reads(rule.mode) || rule.indices.empty()) continue;
      if (!reading || use.slice.volume() > box::whole(shape.slots[index(*reading)].shape).volume()) reading = use.slot;
    }
  }
  return reading;
}

grid_cuts whole_cuts(const launch_shape& shape) {
  grid_cuts cuts;
  for (const std::int64_t n : shape.space.granules()) cuts.push_back({0, n});
  return cuts;
}

grid_cuts cuts_by_size(const launch_shape& shape, const extents& points) {
  grid_cuts cuts = whole_cuts(shape);
  for (int a = 0; a < std::min(points.rank(), static_cast<int>(cuts.size())); ++a) {
    if (points[a] < 0) throw argument_error(cat("a launch's split is negative: ", to_string(points)));
    if (points[a] == 0) continue;
    const std::int64_t step = ceil_div(points[a], shape.space.granule[a]);
    const std::int64_t end = cuts[index(a)].back();
    std::vector<std::int64_t> inner;
    for (std::int64_t g = step; g < end; g += step) inner.push_back(g);
    cuts[index(a)] = tidy(std::move(inner), end);
  }
  return cuts;
}

grid_cuts even_cuts(const launch_shape& shape, int axis, int parts) {
  grid_cuts cuts = whole_cuts(shape);
  const std::int64_t end = cuts[index(axis)].back();
  std::vector<std::int64_t> inner;
  for (int p = 1; p < parts; ++p) inner.push_back(static_cast<std::int64_t>(static_cast<__int128>(end) * p / parts));
  cuts[index(axis)] = tidy(std::move(inner), end);
  return cuts;
}

grid_cuts slowest_first_cuts(const launch_shape& shape, int parts) {
  grid_cuts cuts = whole_cuts(shape);
  for (int a = static_cast<int>(cuts.size()) - 1; a >= 0; --a) {
    cuts[index(a)] = even_cuts(shape, a, parts)[index(a)];
    parts /= static_cast<int>(cuts[index(a)].size()) - 1;
  }
  return cuts;
}

grid_cuts cuts_following(const launch_shape& shape, int slot) {
  grid_cuts cuts = whole_cuts(shape);
  const slot_use* use = nullptr;
  const access_rule* rule = leading_rule(shape, slot, use);
  if (rule == nullptr) return cuts;
  for (int k = 0; k < static_cast<int>(rule->indices.size()); ++k) {
    const index_range& range = rule->indices[index(k)];
    if (!range.first || (range.table && !range.table->rows.ascends())) continue;
    const std::optional<int> axis = driving_axis(*shape.accesses, *range.first);
    if (!axis) continue;
    std::vector<std::int64_t> inner;
    for (const std::int64_t c : home_cuts(shape, *use, *rule, k))
      inner.push_back(granule_reaching(shape, range, *axis, c));
    inner.insert(inner.end(), cuts[index(*axis)].begin(), cuts[index(*axis)].end());
    cuts[index(*axis)] = tidy(std::move(inner), cuts[index(*axis)].back());
  }
  return cuts;
}

grid_cuts only_axis(const launch_shape& shape, const grid_cuts& cuts, int axis) {
  grid_cuts result = whole_cuts(shape);
  result[index(axis)] = cuts[index(axis)];
  return result;
}

grid_cuts aligned(const launch_shape& shape, grid_cuts cuts) {
  constexpr std::int64_t farthest = 4096;
  const launch_grid whole(shape, whole_cuts(shape));
  for (int a = 0; a < static_cast<int>(cuts.size()); ++a) {
    if (cuts[index(a)].size() <= 2) continue;
    const std::int64_t end = cuts[index(a)].back();
    std::vector<std::int64_t> moved;
    for (const std::int64_t c : cuts[index(a)]) {
      std::int64_t to = c;
      while (to > 0 && to < end && to < c + farthest && writes_meet(whole, a, to)) ++to;
      moved.push_back(to);
    }
    cuts[index(a)] = tidy(std::move(moved), end);
  }
  return cuts;
}

}  // namespace tessera::plan
