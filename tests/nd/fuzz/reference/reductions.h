#pragma once

#include "tests/nd/fuzz/reference/plain_array.h"

namespace tessera::fuzz {

/// Elements combined along `axes`, or along all if none is named, in the order that tessera/nd documents: elements of
/// one result that follow each other along the last axis in 128 lanes of pieces of 4096, others in runs of 64. Throws
/// `refused_step` where there is no result.
[[nodiscard]] plain_array reduced(reduction r, const plain_array& a, const std::vector<std::int64_t>& axes,
                                  bool keepdims, double correction);

/// Each element combined with all before it along an axis: chunks of 4096 in order, each behind the combination of
/// those before it. `has_initial`: behind the identity.
[[nodiscard]] plain_array scanned(reduction r, const plain_array& a, int axis, bool has_initial);

}  // namespace tessera::fuzz
