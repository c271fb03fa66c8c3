#pragma once

#include "tessera/algo/exec/call_text.h"
#include "tessera/algo/exec/kernel_cache.h"

namespace tessera::algo {

/// Elements that a thread of a GPU computes, a block apart: enough loads under way to fill the memory's bandwidth.
inline constexpr int elements_per_thread = 4;

/// Parts of texts that kernels for elements share: the type of `function`'s result, statements that store `result` at
/// the index, and the extents that the kernel gets, `n` or `n0`, `n1`, ...
[[nodiscard]] std::string result_type(const op_text& function);
[[nodiscard]] std::string stores_of(const std::vector<array_text>& outputs, const std::string& result);
[[nodiscard]] std::string extents_text(int axes);

/// The kernel that computes one operator for all elements. `outputs` has one entry per result.
[[nodiscard]] kernel_text map_text(const op_text& function, const call_text& call,
                                   const std::vector<array_text>& outputs, int axes);

}  // namespace tessera::algo
