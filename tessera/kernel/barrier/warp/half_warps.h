#pragma once

#include <vector>

#include "tessera/kernel/barrier/barrier_plan.h"
#include "tessera/kernel/barrier/roles.h"
#include "tessera/kernel/barrier/structure.h"

namespace tessera::kernels {

/// The loops of a run that bring the values of a warp together in its first lane, of which nothing reads another one
/// later:
///
///   for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
///   if (lane == 0) ...
///
/// A turn then has to be right in the first `o` lanes alone, which ask lanes below `2 * o`: half of the warp does it.
[[nodiscard]] std::vector<token_range> find_half_warps(const outline& source, const barrier_plan& plan,
                                                       const warp_run& run, split_structure& structure,
                                                       const variable_roles& roles);

}  // namespace tessera::kernels
