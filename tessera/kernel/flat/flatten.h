#pragma once

#include "tessera/kernel/source/signature.h"

namespace tessera::kernels {

/// A kernel's text in the form that can be cut at the points where its threads meet (barrier/barrier_plan.h):
///   - functions in which threads meet stand in the kernel's body instead of being called;
///   - a warp function is the whole value of a variable of its own (`auto __tessera_w3 = __shfl_sync(m, v, 0)`), which
///     stands before the statement that used it, and what other threads see is a variable;
///   - a loop around such a point counts with a variable of its own.
/// The text means the same to a compiler, and its lines keep their numbers. Throws `cut_refused` where that cannot be
/// done. A kernel without any of this comes back as it is.
[[nodiscard]] kernel_text flatten(const kernel_text& kernel);

/// Why a kernel whose threads work together cannot be cut where they meet; empty if it can.
[[nodiscard]] std::string find_refusal(const kernel_text& kernel);

}  // namespace tessera::kernels
