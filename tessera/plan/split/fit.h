#pragma once

#include <cstdint>
#include <vector>

#include "tessera/plan/machine.h"
#include "tessera/plan/split/launch_grid.h"

/// How launches are made to fit into the memory of devices (rules B3 and E3): from budgets alone, never from what
/// memory happens to hold, so that all ranks agree.
namespace tessera::plan {

/// At most what `bounds` of an array costs a device whose memory comes in pages of up to `page` bytes: all pages that
/// it meets, or the whole array if that is smaller than a page.
[[nodiscard]] std::int64_t footprint_bytes(const extents& shape, const dtype& type, const box& bounds,
                                           std::int64_t page);

/// At most what `footprints`, the declarations of one superblock, cost a device.
[[nodiscard]] std::int64_t footprint_bytes(const launch_shape& shape, const std::vector<footprint>& footprints,
                                           std::int64_t page);

/// Bytes that the blocks `granules`, which declare `footprints`, may take beside the arrays while they run. For private
/// results of thread blocks (`reduce`): room for those of one block at least, of all of them if that is a small part of
/// the memory. For a native kernel: what it asks for.
[[nodiscard]] std::int64_t workspace_bytes(const launch_grid& grid, const box& granules,
                                           const std::vector<footprint>& footprints, const device_spec& device);

/// A part of a superblock that is launched by itself.
struct launch_piece {
  box granules;
  std::vector<footprint> footprints;  ///< Per slot.
  std::int64_t workspace = 0;
};

/// Cuts the superblock of `granules`, which declares `footprints`, so that each piece leaves room for those before and
/// after it, in the order in which they are to run. None if it can run as it is: it takes no more than half the memory,
/// or the launch must not be cut. If they must be `in_order`, each piece holds blocks that follow each other, x
/// fastest. Throws `out_of_memory` if a piece can never fit.
[[nodiscard]] std::vector<launch_piece> fit(const launch_grid& grid, const box& granules,
                                            const std::vector<footprint>& footprints, const device_spec& device,
                                            bool in_order = false);

/// Throws what `fit` throws for the first superblock that can never fit, so that all ranks refuse a launch together and
/// with the same words, on whatever device it would run. Looks at superblocks only if the arrays that the launch uses
/// do not fit into the device as a whole, and cuts only those that do not.
void refuse_what_never_fits(const launch_grid& grid, const device_spec& device, bool in_order);

}  // namespace tessera::plan
