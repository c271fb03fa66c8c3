#pragma once

#include "tessera/algo/function/op.h"
#include "tests/algo/fuzz/expression/tree.h"

namespace tessera::fuzz {

/// Records the expression as the library does for a function of a program: its operations on `ts::sym`, numbers as
/// numbers. Parameters are those of the tree, in the order of its nodes.
[[nodiscard]] algo::op recorded_op(const tree& t);

}  // namespace tessera::fuzz
