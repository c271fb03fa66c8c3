#pragma once

#include "tessera/algo/exec/call_text.h"
#include "tessera/algo/exec/kernel_cache.h"

namespace tessera::algo {

/// The order in which elements are combined, the same for every number of devices, ranks and bytes of memory: a piece
/// is 4096 elements, element i of it goes to lane i mod 128, a lane combines its elements in order, and the lanes are
/// folded by halves. A segment combines its pieces in order.
inline constexpr std::int64_t piece_elements = 4096;
inline constexpr int piece_lanes = 128;

/// The kernel that combines each segment of `length` elements, of n in all, into one: thread block b segment b.
/// Elements are what `call` computes, of type `type`.
[[nodiscard]] kernel_text segment_fold_text(const op_text& function, const call_text& call,
                                            const operator_text& combine, const std::string& type);

/// The kernel that combines pieces of `rows_per_piece` rows of a matrix, rows in order, column by column.
inline constexpr std::int64_t rows_per_piece = 64;
[[nodiscard]] kernel_text column_fold_text(const operator_text& combine, const std::string& type);

}  // namespace tessera::algo
