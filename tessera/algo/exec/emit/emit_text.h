#pragma once

#include <vector>

#include "tessera/algo/exec/call_text.h"
#include "tessera/algo/exec/kernel_cache.h"

namespace tessera::algo {

inline constexpr int emit_threads = 256;

/// The kernel that counts how many flags of each chunk hold: thread block b those of chunk b, in counts[b].
[[nodiscard]] kernel_text chunk_count_text(const op_text& flag, const call_text& flags);

/// Values of a call of an operator, and the container that those are written to that are kept.
struct emitted_text {
  const op_text* function;
  const call_text* call;
  array_text output;
};

/// The kernel that writes the values of elements whose flag is `wanted`, thread block b those of chunk b, in order,
/// from begins[b] on in each output; counts[b] of its flags hold. A table `rows` tells the annotation what is written.
[[nodiscard]] kernel_text emit_text(const op_text& flag, const call_text& flags,
                                    const std::vector<emitted_text>& values);

}  // namespace tessera::algo
