#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/kernel/barrier/roles.h"
#include "tessera/kernel/source/outline.h"

namespace tessera::kernels {

/// What stands in brackets behind a name, and may be computed in 64 bits as well: sums and products of numbers that are
/// made of the thread's index and of what is the same for all threads. Where only some threads use an element, GCC
/// computes its index without a sign, and does not find in 32 bits that neighbouring threads use neighbouring elements.
///
/// An `int` does not overflow. A sum of `unsigned` may wrap; but where it is a subscript of an array in shared memory,
/// one number of any size besides the thread's index and small constants, it is what it would be in 64 bits with signs:
/// the two differ by a multiple of 2^32 and both lie within 2^31 of an element's number.
struct wide_subscript {
  token_range range;
  bool may_wrap = false;  ///< Also where it is `unsigned`.
};
using shared_axes = std::map<std::string_view, std::size_t>;
[[nodiscard]] std::vector<wide_subscript> find_subscripts(const outline& source, token_range statements,
                                                          const shared_axes& shared, variable_roles& roles);

/// The subscript computed in 64 bits where that gives the same.
[[nodiscard]] std::string widened(const outline& source, const wide_subscript& subscript);

}  // namespace tessera::kernels
