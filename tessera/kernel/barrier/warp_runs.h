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

}  // namespace tessera::kernels
