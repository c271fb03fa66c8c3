#pragma once

#include <vector>

#include "tessera/algo/exec/call_text.h"
#include "tessera/algo/exec/kernel_cache.h"

namespace tessera::algo {

inline constexpr int emit_threads = 256;

/// The kernel that counts how many flags of each chunk hold: thread block b those of chunk b, in counts[b].
[[nodiscard]] kernel_text chunk_count_text(const op_text& flag, const call_text& flags);

/// The kernel of one thread block that adds up `n` counts: sums[k] is that of the first k + 1 of them.
[[nodiscard]] kernel_text count_sums_text();

/// Values of a call of an operator, and the container that those are written to that are kept.
struct emitted_text {
  const op_text* function;
  const call_text* call;
  array_text output;
};

/// The kernel that writes the values of elements whose flag is `wanted`, thread block b those of chunk b, in order and
/// behind those of the chunks before: counts[b] of its flags hold, sums[b] of them and of those before. With a table
/// `rows` the annotation tells what thread blocks write, else they write anywhere.
[[nodiscard]] kernel_text emit_text(const op_text& flag, const call_text& flags,
                                    const std::vector<emitted_text>& values, bool with_rows);
/// ", write name[rows(b)]", or what an annotation says where it has no rows.
[[nodiscard]] std::string output_rule(const std::string& name, bool with_rows);

}  // namespace tessera::algo
