#pragma once

#include "tessera/nd/array.h"

namespace tessera::nd {

/// Each element combined with all before it along an axis, which an array with one axis need not name. With
/// `include_initial` the identity stands in front. Integers and booleans give 64 bits. The order depends on the shape
/// alone: chunks of 4096 elements, each behind the combination of those before it; floats on GPUs are combined in
/// another order than on CPUs.
[[nodiscard]] array cumulative_sum(const array& a, int axis = -1, bool include_initial = false,
                                   call_site here = call_site::current());
[[nodiscard]] array cumulative_prod(const array& a, int axis = -1, bool include_initial = false,
                                    call_site here = call_site::current());
/// The least or greatest so far.
[[nodiscard]] array cumulative_min(const array& a, int axis = -1, call_site here = call_site::current());
[[nodiscard]] array cumulative_max(const array& a, int axis = -1, call_site here = call_site::current());

}  // namespace tessera::nd
