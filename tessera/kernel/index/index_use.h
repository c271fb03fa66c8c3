#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tessera/kernel/source/outline.h"

namespace tessera::kernels {

/// An index sum of the kernel's text that stands for the global index in 64 bits.
struct direct_sum {
  token first, last;  ///< In the text itself, not in a macro.
  int axis;
  bool wide;  ///< Computed in 64 bits. Otherwise all that a variable of 64 bits begins as: right below 2^32.
};

/// The 64-bit type that a kernel's global index has along an axis.
enum class wide_index : std::uint8_t { none, is_signed, is_unsigned };

/// How a kernel uses its thread and block indices.
struct index_use {
  /// Per axis: only as blockIdx.D * blockDim.D + threadIdx.D, in any order, with casts to integers, through `__mul24`
  /// or through variables that hold one of the three.
  std::array<bool, 3> only_global = {true, true, true};
  bool wide = false;  ///< Some such sum is computed in 64 bits.
  /// There is no such sum, and each block index is a number of 64 bits before anything is computed of it: behind a
  /// cast, or as all that a variable begins as.
  bool wide_blocks = false;
  /// Sums that a driver may replace by the index that it counts itself: the wide ones, or if there are none those of
  /// 32 bits whose variables have 64. Compilers do not find by themselves that these are what a loop counts.
  std::vector<direct_sum> direct;
  std::array<wide_index, 3> counted_in = {wide_index::none, wide_index::none, wide_index::none};  ///< Per axis.
  /// Per axis: what the kernel compares its global index with, as tokens of integer parameters, numbers and
  /// + - * ( ), divided by numbers at most; empty if there is no such comparison.
  std::array<std::vector<token>, 3> bounds;
  int margin = 0;  ///< How far from its bounds threads are alike: above every whole number up to 16 in the kernel.
};

[[nodiscard]] index_use find_index_use(const outline& source, const declaration& kernel);

}  // namespace tessera::kernels
