#pragma once

#include <cstdint>

#include "tessera/nd/array.h"
#include "tessera/nd/shape/axis_list.h"

/// Products of arrays with the names and defaults of the Array API standard. Throw `argument_error` for shapes that do
/// not fit.
namespace tessera::nd {

/// Products of the matrices in the last two axes; the axes before them are repeated to a common shape. A vector on the
/// left is a row, on the right a column, and its axis is not in the result. Carried out when it is called, without
/// waiting: rows of the result are shared by all devices. Integers wrap around; booleans give whether any product is
/// true; 16-bit floats are computed as float. On CPUs floats are multiplied by OpenBLAS where there is one.
[[nodiscard]] array matmul(const array& a, const array& b, call_site here = call_site::current());
/// Sums of products over the last `count` axes of `a` and the first of `b`.
[[nodiscard]] array tensordot(const array& a, const array& b, int count = 2, call_site here = call_site::current());
/// Over axes `of_a[k]` of `a` and `of_b[k]` of `b`.
[[nodiscard]] array tensordot(const array& a, const array& b, const axis_list& of_a, const axis_list& of_b,
                              call_site here = call_site::current());
/// Sums along an axis of the conjugates of `a` times `b`. The axis counts from the end, in both.
[[nodiscard]] array vecdot(const array& a, const array& b, int axis = -1, call_site here = call_site::current());
/// All products of elements of two vectors.
[[nodiscard]] array outer(const array& a, const array& b, call_site here = call_site::current());
/// Of vectors of three elements along an axis.
[[nodiscard]] array cross(const array& a, const array& b, int axis = -1, call_site here = call_site::current());

}  // namespace tessera::nd
