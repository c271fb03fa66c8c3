#pragma once

#include <string>
#include <vector>

#include "tessera/kernel/barrier/roles.h"
#include "tessera/kernel/source/outline.h"

namespace tessera::kernels {

/// What stands in brackets behind a name, and may be computed in 64 bits as well: sums and products of numbers that are
/// made of the thread's index and of what is the same for all threads. Where only some threads use an element, GCC
/// computes its index without a sign, and does not find in 32 bits that neighbouring threads use neighbouring elements.
[[nodiscard]] std::vector<token_range> find_subscripts(const outline& source, token_range statements,
                                                       variable_roles& roles);

/// The subscript with every number in it converted to 64 bits.
[[nodiscard]] std::string widened(const outline& source, token_range subscript);

}  // namespace tessera::kernels
