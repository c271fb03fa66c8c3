#include "tessera/plan/split/fit.h"

#include <algorithm>
#include <limits>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::plan {
namespace {

std::int64_t footprint_of(const launch_shape& shape, std::size_t slot, const region& area, std::int64_t page) {
  std::int64_t sum = 0;
  for (const box& b : area.boxes()) sum += footprint_bytes(shape.slots[slot].shape, shape.slots[slot].type, b, page);
  return area.empty() ? 0 : std::min(sum, box::whole(shape.slots[slot].shape).volume() * shape.slots[slot].type.size);
}

/// At most what the private results of one block take, with what devices add for alignment and tables.
std::int64_t private_bytes(const launch_shape& shape, const std::vector<footprint>& footprints) {
  constexpr std::int64_t extra = 768;
  std::int64_t sum = 0;
  for (const slot_use& use : shape.uses) {
    const region& combined = footprints[static_cast<std::size_t>(use.slot)].combines;
    if (combined.empty()) continue;
    const array_slot& slot = shape.slots[static_cast<std::size_t>(use.slot)];
    for (const access_rule& rule : shape.accesses->rules)
      if (rule.parameter == use.parameter && rule.mode == access_mode::reduce)
        sum += span_bytes(dense_strides(slot.shape, slot.type.size), combined.bounds(), slot.type.size) + extra;
  }
  return sum;
}

/// At most what the blocks `granules` take beside the arrays if they run one after the other: the private results of
/// one block, and what a native kernel asks for.
std::int64_t bytes_beside(const launch_shape& shape, const box& granules, const std::vector<footprint>& footprints) {
  const std::int64_t asked = shape.workspace ? (*shape.workspace)(shape.space.points(granules)) : 0;
  return private_bytes(shape, footprints) + std::max<std::int64_t>(0, asked);
}

/// True if private results of some blocks never take more than those of all: not so where a view's hull is taken or
/// gaps of a table are filled.
bool parts_combine_less(const launch_shape& shape) {
  const auto& rules = shape.accesses->rules;
  return std::none_of(rules.begin(), rules.end(),
                      [](const access_rule& r) { return combines(r.mode) && (r.view || uses_table(r)); });
}

/// What a superblock declares at most: the whole of every array that the launch uses.
std::vector<footprint> everything(const launch_grid& grid) {
  std::vector<footprint> footprints;
  for (int slot = 0; slot < static_cast<int>(grid.shape().slots.size()); ++slot) {
    const region whole(box::whole(grid.shape().slots[static_cast<std::size_t>(slot)].shape));
    const bool in_place = grid.touches(slot, touch::read) || grid.touches(slot, touch::write);
    footprints.push_back({in_place ? whole : region(), {}, grid.touches(slot, touch::combine) ? whole : region()});
  }
  return footprints;
}

bool runs_uncut(const launch_shape& shape, const box& granules, const std::vector<footprint>& footprints,
                std::int64_t bytes, const device_spec& device) {
  return bytes <= device.memory / 2 && bytes + bytes_beside(shape, granules, footprints) <= device.memory;
}

class fitter {
 public:
  enum class purpose : bool { cut, check };

  fitter(const launch_grid& grid, const device_spec& device, bool in_order, purpose aim)
      : grid_(grid), device_(device), in_order_(in_order) {
    const std::int64_t arrays = std::max<std::int64_t>(1, std::ssize(grid.shape().slots));
    share_ = std::min(std::max(device.memory / 40, 2 * device.page * arrays), device.memory / 2);
    stops_early_ = aim == purpose::check && parts_combine_less(grid.shape());
  }

  std::vector<launch_piece> pieces;

  void cut(const box& granules, std::vector<footprint> footprints, std::int64_t bytes) {
    const std::int64_t all = bytes + bytes_beside(grid_.shape(), granules, footprints);
    if (stops_early_ && all <= device_.memory) return;
    if ((bytes > share_ || all > device_.memory) && !grid_.shape().accesses->single)
      if (const auto halves = best_halves(granules, footprints, bytes)) {
        for (const half& h : *halves) cut(h.granules, h.footprints, h.bytes);
        return;
      }
    if (all > device_.memory) refuse(granules, all);
    const std::int64_t workspace = workspace_bytes(grid_, granules, footprints, device_);
    pieces.push_back({granules, std::move(footprints), workspace});
  }

 private:
  struct half {
    box granules;
    std::vector<footprint> footprints;
    std::int64_t bytes = 0;
  };

  half half_of(box granules, int axis, std::int64_t lo, std::int64_t hi) const {
    granules.lo[axis] = lo, granules.hi[axis] = hi;
    half h{granules, grid_.footprints(granules), 0};
    h.bytes = footprint_bytes(grid_.shape(), h.footprints, device_.page);
    return h;
  }

  /// Two halves along the axis that makes the larger one least; nothing if that saves too little to be worth a launch.
  std::optional<std::vector<half>> best_halves(const box& granules, const std::vector<footprint>& footprints,
                                               std::int64_t bytes) const {
    std::optional<std::vector<half>> best;
    // What must be cut is cut, even if it helps only to get at the next axis, where order leaves no choice.
    const bool must = bytes + bytes_beside(grid_.shape(), granules, footprints) > device_.memory;
    std::int64_t least = must ? std::numeric_limits<std::int64_t>::max() : bytes - bytes / 8;
    for (int axis = granules.rank() - 1; axis >= 0; --axis) {
      if (granules.extent(axis) < 2) continue;
      const std::int64_t lo = granules.lo[axis], hi = granules.hi[axis], middle = lo + (hi - lo) / 2;
      std::vector<half> halves{half_of(granules, axis, lo, middle), half_of(granules, axis, middle, hi)};
      const std::int64_t larger = std::max(halves[0].bytes, halves[1].bytes);
      if (larger < least) least = larger, best = std::move(halves);
      if (in_order_) break;
    }
    return best;
  }

  [[noreturn]] void refuse(const box& granules, std::int64_t bytes) const {
    std::string text = cat("launch of '", grid_.shape().name, "' never fits: blocks ", to_string(granules), " use ",
                           bytes, " bytes at once");
    text += grid_.shape().accesses->single ? ", and the kernel is one piece" : "";
    text += cat(", but a device may hold ", device_.memory, " (TESSERA_DEVICE_MEMORY); they use");
    const std::vector<footprint> footprints = grid_.footprints(granules);
    for (std::size_t s = 0; s < footprints.size(); ++s) {
      const std::int64_t used =
          footprint_of(grid_.shape(), s, unite(footprints[s].reads, footprints[s].writes), device_.page) +
          footprint_of(grid_.shape(), s, footprints[s].combines, device_.page);
      if (used > 0) text += cat("\n  ", used, " bytes of '", grid_.shape().slots[s].name, "'");
    }
    if (const std::int64_t own = private_bytes(grid_.shape(), footprints); own > 0)
      text += cat("\n  ", own, " bytes of a thread block's private results");
    if (grid_.shape().workspace)
      text += cat("\n  ", (*grid_.shape().workspace)(grid_.shape().space.points(granules)), " bytes of workspace");
    throw out_of_memory(text);
  }

  const launch_grid& grid_;
  const device_spec& device_;
  const bool in_order_;
  bool stops_early_ = false;  // what fits is cut only if that makes it smaller, so its pieces fit as well
  std::int64_t share_ = 0;
};

}  // namespace

std::int64_t footprint_bytes(const extents& shape, const dtype& type, const box& bounds, std::int64_t page) {
  const std::int64_t whole = box::whole(shape).volume() * type.size;
  if (bounds.empty() || whole <= page) return bounds.empty() ? 0 : whole;
  const extents strides = dense_strides(shape, type.size);
  std::int64_t runs = 1;
  int axis = 0;
  for (; axis < shape.rank() && strides[axis] > page; ++axis) runs *= bounds.extent(axis);
  std::int64_t run = type.size;  // from the first byte of a run to behind its last
  for (; axis < shape.rank(); ++axis) run += (bounds.extent(axis) - 1) * strides[axis];
  const std::int64_t pages = (run + page - 1) / page + 1;
  return std::min(runs * pages * page, (whole + page - 1) / page * page);
}

std::int64_t footprint_bytes(const launch_shape& shape, const std::vector<footprint>& footprints, std::int64_t page) {
  std::int64_t sum = 0;
  for (std::size_t s = 0; s < footprints.size(); ++s)
    sum += footprint_of(shape, s, unite(footprints[s].reads, footprints[s].writes), page) +
           footprint_of(shape, s, footprints[s].combines, page);
  return sum;
}

std::int64_t workspace_bytes(const launch_grid& grid, const box& granules, const std::vector<footprint>& footprints,
                             const device_spec& device) {
  constexpr std::int64_t most = std::int64_t{256} << 20;
  const std::int64_t one = private_bytes(grid.shape(), footprints);
  if (one == 0 || grid.shape().workspace) return bytes_beside(grid.shape(), granules, footprints);
  const std::int64_t affordable =
      std::min({most, device.memory / 16, device.memory - footprint_bytes(grid.shape(), footprints, device.page)});
  if (one >= affordable) return one;
  return std::min(affordable, 2 * one * std::min(granules.volume(), affordable / one));
}

std::vector<launch_piece> fit(const launch_grid& grid, const box& granules, const std::vector<footprint>& footprints,
                              const device_spec& device, bool in_order) {
  const std::int64_t bytes = footprint_bytes(grid.shape(), footprints, device.page);
  if (runs_uncut(grid.shape(), granules, footprints, bytes, device)) return {};
  fitter f(grid, device, in_order, fitter::purpose::cut);
  f.cut(granules, footprints, bytes);
  if (f.pieces.size() == 1) f.pieces.clear();
  return std::move(f.pieces);
}

void refuse_what_never_fits(const launch_grid& grid, const device_spec& device, bool in_order) {
  const std::vector<footprint> most = everything(grid);
  const box all = box::whole(grid.shape().space.granules());
  if (footprint_bytes(grid.shape(), most, device.page) + bytes_beside(grid.shape(), all, most) <= device.memory) return;
  for (std::int64_t s = 0; s < grid.size(); ++s) {
    std::vector<footprint> footprints = grid.footprints(s);
    const std::int64_t bytes = footprint_bytes(grid.shape(), footprints, device.page);
    if (runs_uncut(grid.shape(), grid.part(s), footprints, bytes, device)) continue;
    fitter(grid, device, in_order, fitter::purpose::check).cut(grid.part(s), std::move(footprints), bytes);
  }
}

}  // namespace tessera::plan
