#pragma once

#include "tessera/algo/exec/call_text.h"
#include "tessera/algo/exec/kernel_cache.h"

namespace tessera::algo {

/// The kernel that computes a stencil of `axes` axes, two at least, for all elements of a box; a thread block those of
/// its tile (exec/stencil/tile.h).
[[nodiscard]] kernel_text stencil_text(const op_text& function, const call_text& call,
                                       const std::vector<array_text>& outputs, int axes);

}  // namespace tessera::algo
