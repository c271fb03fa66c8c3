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
struct scan_form {
  bool exclusive = false;
  bool flat_output = true;  ///< The output has one axis.
  bool own_carry = false;   ///< Thread blocks get the totals of all chunks, at most `chunk_elements`.
  operator_text last{};     ///< Applied to each value where it is stored.
};
/// The kernel that writes the running combination of each chunk, an element of `out` per element. Behind `carry[b -
/// 1]`, the combination of all chunks up to there; exclusive: without the element itself, behind `carry[b]`, the
/// combination of all chunks before it. What is stored is what `form.last` makes of it. With its own carry it combines
/// that from `carry`, the totals of chunks, and if it is exclusive `start[0]`, in the order of a scan of them: it is a
/// launch less.
[[nodiscard]] kernel_text chunk_scan_text(const op_text& function, const call_text& call, const operator_text& combine,
                                          const std::string& type, const scan_form& form);

}  // namespace tessera::algo
