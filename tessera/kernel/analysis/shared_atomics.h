#pragma once

#include <vector>

#include "tessera/kernel/source/outline.h"

namespace tessera::kernels {

/// The calls of CUDA's atomic functions in a kernel's text whose place is surely an element of a variable that the
/// kernel declares `__shared__`: `atomicAdd(&bins[k], 1)`. A block runs on one core, so that they need no locked
/// instructions. Positions in `outline::code`. Decided on tokens; where in doubt, a call is left out.
[[nodiscard]] std::vector<std::size_t> find_shared_atomics(const outline& source, const declaration& kernel);

}  // namespace tessera::kernels
