#pragma once

#include <vector>

#include "tessera/algo/exec/call.h"

namespace tessera::algo {

/// The call of a function for all pairs of elements of two vectors, the first two arguments that are taken element by
/// element: element (i, j) is computed from element i of the one and element j of the other. Throws `argument_error` if
/// there are not two.
[[nodiscard]] call bind_pairs(const char* skeleton, const op& function, const std::vector<call_argument>& given,
                              call_site here);
/// How many elements both have.
[[nodiscard]] extents pairs_shape(const call& bound);
/// Throws `argument_error` unless the output has `shape`.
void check_pairs_output(const call& bound, const operand& output, const extents& shape);

}  // namespace tessera::algo
