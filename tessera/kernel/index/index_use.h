#pragma once

#include <array>
#include <string>
#include <vector>

#include "tessera/kernel/source/outline.h"

namespace tessera::kernels {

/// How a kernel uses its thread and block indices.
struct index_use {
  /// Per axis: only as blockIdx.D * blockDim.D + threadIdx.D, in any order, with casts to integers, through `__mul24`
  /// or through variables that hold one of the three.
  std::array<bool, 3> only_global = {true, true, true};
  bool wide = false;  ///< Some such sum is computed in 64 bits.
  /// Per axis: what the kernel compares its global index with, as tokens of integer parameters, numbers and
  /// + - * ( ), divided by numbers at most; empty if there is no such comparison.
  std::array<std::vector<token>, 3> bounds;
  int margin = 0;  ///< How far from its bounds threads are alike: above every whole number up to 16 in the kernel.
};

[[nodiscard]] index_use find_index_use(const outline& source, const declaration& kernel);

}  // namespace tessera::kernels
