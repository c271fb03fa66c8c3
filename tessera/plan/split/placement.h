#pragma once

#include <vector>

#include "tessera/plan/split/launch_grid.h"

namespace tessera::plan {

/// The device of each superblock, numbered through all ranks: a pure function of the launch's shape, split and homes.
/// Where the split names devices, the one that it names for most of the superblock's thread blocks. Else the one that
/// is home to most elements of array `follow` that the superblock writes, or reads if no superblock writes it. Where
/// it touches none, or `follow` is -1, superblocks go to the devices in runs of equal length.
[[nodiscard]] std::vector<int> place(const launch_grid& grid, int follow, int devices);

}  // namespace tessera::plan
