#pragma once

#include "tessera/algo/exec/call_text.h"
#include "tessera/algo/exec/kernel_cache.h"

namespace tessera::algo {

/// Elements that a thread of a GPU computes, a block apart: enough loads under way to fill the memory's bandwidth.
inline constexpr int elements_per_thread = 4;

/// The kernel that computes one operator for all elements. `outputs` has one entry per result.
[[nodiscard]] kernel_text map_text(const op_text& function, const call_text& call,
                                   const std::vector<array_text>& outputs, int axes);

}  // namespace tessera::algo
