#pragma once

#include "tessera/algo/exec/call_text.h"
#include "tessera/algo/exec/kernel_cache.h"

namespace tessera::algo {

inline constexpr int segment_threads = 256;
/// Elements of a segment that are combined one after the other; of longer ones, by 32 lanes: element i of the segment
/// by lane i mod 32, and the lanes by halves. `start` comes first.
inline constexpr std::int64_t short_segment = 64;
inline constexpr int segment_lanes = 32;

/// The kernel that combines segments: thread block b has segments groups[b] <= s < groups[b + 1], segment s the
/// elements offsets[s] <= i < offsets[s + 1]. The launch gives the tables `segments` (those of each thread block),
/// `ends` (their offsets) and `elements`. `call` has its rows in `elements(b)`. With a start there may be segments
/// without elements.
[[nodiscard]] kernel_text segments_text(const op_text& function, const call_text& call, const operator_text& combine,
                                        const operator_text& last, const std::string& type, bool has_start);

/// Elements of flags that a thread block writes.
inline constexpr std::int64_t flags_per_block = 4096;
/// The kernel that writes a flag for each element, 1 where a segment begins: in thread block b at the offsets with the
/// numbers rows[b] <= k < rows[b + 1], which are those of row b of the table `heads`. `base` is subtracted from
/// offsets.
[[nodiscard]] kernel_text head_flags_text();

}  // namespace tessera::algo
