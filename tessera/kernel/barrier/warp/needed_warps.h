#pragma once

#include "tessera/kernel/barrier/barrier_plan.h"
#include "tessera/kernel/barrier/roles.h"
#include "tessera/kernel/barrier/structure.h"

namespace tessera::kernels {

/// Whether statements change nothing but plain variables of threads: what nothing reads need not be done.
[[nodiscard]] bool only_computes(const outline& source, token_range statements, split_structure& structure,
                                 const variable_roles& roles);

/// Whether a stretch makes variables of a thread of others of the same thread, once, and does nothing else.
[[nodiscard]] bool only_passes_on(const outline& source, const stretch& s, split_structure& structure,
                                  const variable_roles& roles);

/// Whether statements stand in a loop around places where threads meet: what comes before them in the text may then
/// come after them.
[[nodiscard]] bool is_repeated(const split_structure& structure, token_range statements);

/// Which warps have to do a run: where it does nothing but compute variables of threads, and every later use of these
/// stands in conditions on the thread's index with a number (`if (threadIdx.x == 0)`), only the warps that have such
/// threads. Sums of a block are like that: all warps would add the warps' sums, and one thread takes the result.
/// A condition of the plan, or `thread_region::none`: all.
[[nodiscard]] std::size_t find_needed_warps(const outline& source, const barrier_plan& plan, const warp_run& run,
                                            split_structure& structure, const variable_roles& roles);

}  // namespace tessera::kernels
