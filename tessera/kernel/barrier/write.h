#pragma once

#include "tessera/kernel/barrier/barrier_plan.h"
#include "tessera/kernel/wrap/rewrite.h"

namespace tessera::kernels {

/// Puts the loops into the kernel's text, for a block of `__tessera_threads` threads (device/split_driver.h).
/// `whole_warps` says that all warps are whole and lie within rows of the block.
void write_split(const outline& source, const barrier_plan& plan, bool whole_warps, text_edits& edits);

}  // namespace tessera::kernels
