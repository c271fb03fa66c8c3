#include "tessera/plan/split/check.h"

#include <algorithm>

#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::plan {
namespace {

struct owned_box {
  box bounds;
  std::int64_t superblock;
};

std::string describe(const launch_grid& grid, int slot, const char* verbs, const owned_box& a, const owned_box& b) {
  const std::string& array = grid.shape().slots[static_cast<std::size_t>(slot)].name;
  return cat("superblocks ", a.superblock, " (blocks ", to_string(grid.part(a.superblock)), ") and ", b.superblock,
             " (blocks ", to_string(grid.part(b.superblock)), ") ", verbs, " '", array, "' at ",
             to_string(intersect(a.bounds, b.bounds)));
}

/// Sweeps along the first axis and reports two overlapping boxes of different superblocks.
std::optional<std::string> find_overlap(const launch_grid& grid, int slot, std::vector<owned_box> boxes) {
  std::sort(boxes.begin(), boxes.end(),
            [](const owned_box& a, const owned_box& b) { return a.bounds.lo[0] < b.bounds.lo[0]; });
  std::vector<owned_box> open;
  for (const owned_box& b : boxes) {
    std::erase_if(open, [&](const owned_box& o) { return o.bounds.hi[0] <= b.bounds.lo[0]; });
    for (const owned_box& o : open)
      if (o.superblock != b.superblock && o.bounds.overlaps(b.bounds)) return describe(grid, slot, "both write", o, b);
    open.push_back(b);
  }
  return std::nullopt;
}

std::optional<std::string> overlapping_writes(const launch_grid& grid, int slot) {
  std::vector<owned_box> boxes;
  std::vector<box> mine;
  for (std::int64_t s = 0; s < grid.size(); ++s) {
    mine.clear();
    grid.touched(slot, touch::write, grid.position(s), mine);
    for (const box& b : mine) boxes.push_back({b, s});
  }
  return find_overlap(grid, slot, std::move(boxes));
}

std::optional<std::string> read_of_foreign_write(const std::shared_ptr<const launch_grid>& grid, int slot) {
  const auto nowhere = std::make_shared<const std::vector<int>>(static_cast<std::size_t>(grid->size()), 0);
  const launch_parts writers(grid, nowhere, slot, touch::write);
  std::vector<box> mine;
  std::vector<partition::piece> found;
  for (std::int64_t s = 0; s < grid->size(); ++s) {
    mine.clear();
    grid->touched(slot, touch::read, grid->position(s), mine);
    for (const box& b : mine) {
      found.clear();
      writers.pieces(b, found);
      for (const partition::piece& p : found)
        if (p.part != s) return describe(*grid, slot, "read and write", {b, s}, {p.bounds, p.part});
    }
  }
  return std::nullopt;
}

using row = intervals::row;

/// What one rule asks of the tables that it names.
class rule_check {
 public:
  rule_check(const launch_shape& shape, const slot_use& use, const access_rule& rule)
      : shape_(shape), use_(use), rule_(rule) {}

  void run(std::span<const interval> names) const {
    const int rank = rule_.view ? rule_.view->shape.rank() : use_.slice.rank();
    for (int axis = 0; axis < std::min(rank, static_cast<int>(rule_.indices.size())); ++axis) {
      const index_range& range = rule_.indices[index(axis)];
      if (!range.table) continue;
      const interval asked = range.first ? range.first->evaluate(names) : interval{0, 0};
      if (asked.empty()) continue;
      check_length(range, axis, asked);
      check_reach(range, axis, asked);
    }
  }

 private:
  [[nodiscard]] const array_slot& slot() const { return shape_.slots[index(use_.slot)]; }
  [[nodiscard]] std::string begin() const { return cat("launch of '", shape_.name, "': "); }

  void check_length(const index_range& range, int axis, interval asked) const {
    const std::int64_t rows = range.table->rows.size();
    if (asked.lo >= 0 && asked.hi < rows) return;
    throw argument_error(cat(begin(), "threads ask for rows ", asked.lo, " to ", asked.hi, " of table '",
                             range.table->name, "' (index ", axis, " of '", slot().name, "'), which has ", rows,
                             "; give a longer table, or limit the name in the annotation (`global i < n`)"));
  }

  /// Where rows may lie: what a slice leaves out exists, and is cut off.
  [[nodiscard]] row reach(int axis) const {
    if (rule_.view) return {0, rule_.view->shape[axis]};
    return {-use_.slice.lo[axis], slot().shape[axis] - use_.slice.lo[axis]};
  }

  void check_reach(const index_range& range, int axis, interval asked) const {
    const intervals& rows = range.table->rows;
    const row within = reach(axis);
    const auto lies_inside = [&](const row& r) { return r.empty() || (r.lo >= within.lo && r.hi <= within.hi); };
    if (lies_inside(rows.bounds(asked.lo, asked.hi))) return;
    std::int64_t number = asked.lo;
    while (lies_inside(rows[number])) ++number;
    const row wrong = rows[number];
    throw argument_error(cat(begin(), "row ", number, " of table '", range.table->name, "' is [", wrong.lo, ", ",
                             wrong.hi, "), but axis ", axis, " of '", slot().name, "' has only [", within.lo, ", ",
                             within.hi, ")", rule_.view ? " in this view" : ""));
  }

  const launch_shape& shape_;
  const slot_use& use_;
  const access_rule& rule_;
};

}  // namespace

std::optional<std::string> find_conflict(const std::shared_ptr<const launch_grid>& grid) {
  if (grid->size() <= 1) return std::nullopt;
  for (int slot = 0; slot < static_cast<int>(grid->shape().slots.size()); ++slot) {
    if (!grid->touches(slot, touch::write)) continue;
    if (auto conflict = overlapping_writes(*grid, slot)) return conflict;
    if (planted("conflict_missed")) continue;
    if (auto conflict = read_of_foreign_write(grid, slot)) return conflict;
  }
  return std::nullopt;
}

void check_tables(const launch_shape& shape) {
  const access_pattern& pattern = *shape.accesses;
  if (std::none_of(pattern.rules.begin(), pattern.rules.end(), uses_table)) return;
  const box all = box::whole(shape.space.granules());
  const std::vector<interval> names = name_intervals(pattern.names, shape.space, all, padding::exclude);
  for (const slot_use& use : shape.uses)
    for (const access_rule& rule : pattern.rules)
      if (rule.parameter == use.parameter && uses_table(rule)) rule_check(shape, use, rule).run(names);
}

}  // namespace tessera::plan
