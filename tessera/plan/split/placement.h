#pragma once

#include <string>
#include <vector>

#include "tessera/plan/machine.h"
#include "tessera/plan/split/launch_grid.h"

namespace tessera::plan {

/// Where superblocks run, and why.
struct placement {
  std::vector<int> devices;        ///< Of each superblock, numbered through all ranks.
  std::vector<std::string> notes;  ///< For `explain`: what else than the superblock's home has decided.
};

/// Places the superblocks of a launch: a pure function of its shape, split and homes, the same on all ranks (rule B3).
/// Where the split names devices, each goes to the one that is named for most of its thread blocks. Else it goes
///  - to the device that is home to three quarters or more of its bytes: of all arrays that the launch writes, or reads
///    if it writes none, except what all superblocks read; of one array alone if the split is to follow it;
///  - or, those that are nearest to it first, to the device that is home to most of its bytes and has nothing to do
///  yet,
///    or room for it (for half of it if it is home to more than half); where none has, to the one with most room. A
///    device has room for an equal share of the launch, so that a launch whose cuts cross the distribution's axis uses
///    all devices; where the user has named the devices of an array, for as much as it is home to;
///  - or, if it touches nothing, devices take runs of equal length.
/// Where a machine has devices of several kinds, only those of one take part, unless the split follows an array: the
/// kind that automatic distributions use, or another one that is home to everything that counts.
[[nodiscard]] placement place(const launch_grid& grid, const machine_table& machine);

}  // namespace tessera::plan
