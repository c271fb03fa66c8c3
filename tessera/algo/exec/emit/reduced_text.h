#pragma once

#include <string>
#include <vector>

#include "tessera/algo/exec/emit/emit_text.h"

namespace tessera::algo {

/// What the values of segments are to kernels that combine them.
struct segment_texts {
  const op_text* end;  ///< The flags that kept elements are counted by: true for the last elements of segments.
  const call_text* ends;
  const op_text* head;  ///< True for the first ones.
  const call_text* heads;
  const op_text* value;
  const call_text* values;
  operator_text combine;
  std::string type;  ///< Of the values.
  std::string result;
};

/// The kernel that combines the last elements of each chunk, those from the last head on: thread block b in part[b], a
/// `headed`. `call` gives values with heads, `within` combines them.
[[nodiscard]] kernel_text chunk_tail_text(const op_text& function, const call_text& call, const operator_text& within,
                                          const std::string& type);

/// The kernel that combines the values of each segment in order and writes the results of those that end in chunk b,
/// and the values of other calls for their last elements, where `emit_text` would write them: counts[b] of them end
/// there. Values of the segment that is open where the chunk begins are combined in carry[b - 1].
[[nodiscard]] kernel_text reduced_text(const segment_texts& segments, const std::vector<emitted_text>& beside,
                                       bool with_rows);

}  // namespace tessera::algo
