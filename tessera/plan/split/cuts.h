#pragma once

#include <optional>
#include <vector>

#include "tessera/plan/split/launch_grid.h"

namespace tessera::plan {

/// Per axis the granules where superblocks begin, from 0 to the number of granules.
using grid_cuts = std::vector<std::vector<std::int64_t>>;

/// The array whose distribution an automatic split follows: the first written one; if all results are combined, the
/// largest one of which different threads read different parts.
[[nodiscard]] std::optional<int> leading_slot(const launch_shape& shape);

/// Everything in one superblock.
[[nodiscard]] grid_cuts whole_cuts(const launch_shape& shape);

/// Superblocks of `points` points per axis, rounded up to whole granules.
[[nodiscard]] grid_cuts cuts_by_size(const launch_shape& shape, const extents& points);

/// `parts` superblocks of about equal size along `axis`.
[[nodiscard]] grid_cuts even_cuts(const launch_shape& shape, int axis, int parts);

/// At most `parts` superblocks, cut along the slowest axes first: a function of the launch alone.
[[nodiscard]] grid_cuts slowest_first_cuts(const launch_shape& shape, int parts);

/// Cuts where the home of array `slot` changes device, found through the rule's index expressions (rule B3).
[[nodiscard]] grid_cuts cuts_following(const launch_shape& shape, int slot);

/// Only the cuts of `axis`.
[[nodiscard]] grid_cuts only_axis(const launch_shape& shape, const grid_cuts& cuts, int axis);

/// Moves each cut up to the next granule where the writes on both sides do not meet (rule A9).
[[nodiscard]] grid_cuts aligned(const launch_shape& shape, grid_cuts cuts);

}  // namespace tessera::plan
