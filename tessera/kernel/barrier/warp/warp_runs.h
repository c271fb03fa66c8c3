#pragma once

#include <vector>

#include "tessera/kernel/barrier/barrier_plan.h"
#include "tessera/kernel/barrier/roles.h"
#include "tessera/kernel/barrier/structure.h"

namespace tessera::kernels {

/// Finds the runs of a kernel that has been cut into `stretches`: statements beside each other in which warps meet, but
/// never the block, and which do nothing that must be done once for the block. Their `region` is one of the
/// structure's; what is kept beyond them is not filled in.
[[nodiscard]] std::vector<warp_run> find_warp_runs(const outline& source, split_structure& structure,
                                                   const variable_roles& roles, const std::vector<stretch>& stretches);

/// The innermost loops around barriers whose heads hold numbers and the block's size alone and that halve or double
/// what they count: positions of `for`. Each of their turns has another number of threads, mostly.
[[nodiscard]] std::vector<std::size_t> find_halving_loops(const outline& source, const split_structure& structure);

}  // namespace tessera::kernels
