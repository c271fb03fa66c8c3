#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "tessera/base/geometry/box.h"

namespace tessera {

/// The elements of one array that each thread block (x, y, z) of a launch declares, one box per block, as a plain
/// value: the planner makes it (`plan::declared_boxes`), devices evaluate it, on any thread.
///
/// Where a bound on an axis of the array is an affine function of the block index, it is kept as that function:
/// constant size, whatever the launch, and exact also for slices with a step and for names with an upper limit, whose
/// last block is shorter than the others. A bound that is not affine (`/`, `%`, min, max, views) is listed instead, for
/// the blocks of the part of the launch that it was made for and only along the block axes that it depends on: 16 bytes
/// per entry, never more entries than the part has blocks.
struct block_boxes {
  static constexpr int block_axes = 3;
  static constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

  /// constant + sum of factor[k] * block[k], and `at_limit[k]` more in the last block below `limit[k]`.
  struct bound {
    std::int64_t constant = 0;
    std::array<std::int64_t, block_axes> factor{};
    std::array<std::int64_t, block_axes> at_limit{};
  };

  /// lo <= x < hi.
  struct range {
    std::int64_t lo = 0;
    std::int64_t hi = 0;
  };

  /// Ranges listed by block; block `first` has the first one. Axes with stride 0 do not count.
  struct listing {
    std::array<std::int64_t, block_axes> first{};
    std::array<std::int64_t, block_axes> stride{};
    std::vector<range> ranges;
  };

  /// One axis of the array: `listed`, or lo <= x < hi clipped to [0, extent). With a step above 1 only
  /// lo, lo + step, ... belong to the block, so the range begins and ends at one of these.
  struct axis {
    bound lo, hi;
    std::int64_t extent = 0;
    std::int64_t step = 1;
    std::shared_ptr<const listing> listed;  ///< Null if the bounds are affine.
  };

  std::vector<axis> axes;  ///< Of the array, in its own order.
  /// Blocks whose index on axis k is not below limit[k] declare nothing.
  std::array<std::int64_t, block_axes> limit{no_limit, no_limit, no_limit};

  /// `elements` for every block.
  [[nodiscard]] static block_boxes uniform(const box& elements);

  /// What `block` (x, y, z) declares: a box inside the array; all zeros if that is nothing. Blocks outside the part of
  /// the launch that this was made for are not allowed.
  [[nodiscard]] box of(const extents& block) const;

  /// True only if every block declares the same box.
  [[nodiscard]] bool is_uniform() const;
};

}  // namespace tessera
