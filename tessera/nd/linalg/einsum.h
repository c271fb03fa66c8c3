#pragma once

#include <initializer_list>
#include <span>
#include <string_view>

#include "tessera/nd/array.h"

namespace tessera::nd {

/// Sums of products by Einstein's convention, as NumPy's: "ij,jk->ik". A letter names an axis; a letter that is not in
/// the result is summed over, one that stands twice in an operand takes its diagonal, and `...` stands for axes that
/// are repeated to a common shape. Without "->" the result has the letters that stand once, in their order. Operands
/// are combined two by two, always the two with the least elements next, by `matmul` where that is what they make. The
/// result has the type in which the operands meet. Throws `argument_error` for texts that do not fit.
[[nodiscard]] array einsum(std::string_view subscripts, std::span<const array> operands,
                           call_site here = call_site::current());
[[nodiscard]] inline array einsum(std::string_view subscripts, std::initializer_list<array> operands,
                                  call_site here = call_site::current()) {
  return einsum(subscripts, std::span(operands.begin(), operands.size()), here);
}

}  // namespace tessera::nd
