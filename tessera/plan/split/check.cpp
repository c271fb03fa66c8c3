#include "tessera/plan/split/check.h"

#include <algorithm>

#include "tessera/base/defects.h"
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

}  // namespace tessera::plan
