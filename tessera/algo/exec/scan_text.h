#pragma once

#include "tessera/algo/exec/call_text.h"
#include "tessera/algo/exec/kernel_cache.h"

namespace tessera::algo {

/// Elements that one thread block scans; a carry comes from the chunks before it.
inline constexpr std::int64_t chunk_elements = 4096;
inline constexpr int scan_threads = 256;

/// The kernel that combines each chunk in order into one element of `part`.
[[nodiscard]] kernel_text chunk_total_text(const op_text& function, const call_text& call, const operator_text& combine,
                                           const std::string& type);
/// The kernel that writes the running combination of each chunk, an element of `out` per element. Behind `carry[b -
/// 1]`, the combination of all chunks up to there; `exclusive`: without the element itself, behind `carry[b]`, the
/// combination of all chunks before it. `flat_output`: the output has one axis.
[[nodiscard]] kernel_text chunk_scan_text(const op_text& function, const call_text& call, const operator_text& combine,
                                          const std::string& type, bool exclusive, bool flat_output);

}  // namespace tessera::algo
