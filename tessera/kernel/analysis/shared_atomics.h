#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "tessera/kernel/source/outline.h"

namespace tessera::kernels {

/// The variables that a kernel declares `__shared__`, of names that mean nothing else in it, with the number of their
/// axes. Pointers are not among them.
[[nodiscard]] std::map<std::string_view, std::size_t> find_shared_variables(const outline& source,
                                                                            const declaration& kernel);

/// The calls of CUDA's atomic functions in a kernel's text whose place is surely an element of a variable that the
/// kernel declares `__shared__`: `atomicAdd(&bins[k], 1)`. A block runs on one core, so that they need no locked
/// instructions. Positions in `outline::code`. Decided on tokens; where in doubt, a call is left out.
[[nodiscard]] std::vector<std::size_t> find_shared_atomics(const outline& source, const declaration& kernel);

}  // namespace tessera::kernels
