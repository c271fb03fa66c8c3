#pragma once

#include "tessera/nd/array.h"
#include "tessera/nd/shape/axis_list.h"

namespace tessera::nd {

/// Elements combined along axes, all of them if none are given, which the result does not have, or has with one element
/// (`keepdims`). Results are lazy; several of one array are one pass over it. The order of sums (`reduction_order`)
/// depends on the shape alone: results have the same bits on any number of devices of one kind, ranks and bytes of
/// memory, and for host values.
///
/// Sums and products of integers and booleans are of 64 bits; those of 16-bit floats are computed as float. Means and
/// variances of integers are float64. An array without elements gives the identity; it has no minimum and no maximum
/// (`argument_error`), and its mean is NaN.
[[nodiscard]] array sum(const array& a, const axis_list& along = {}, bool keepdims = false,
                        call_site here = call_site::current());
[[nodiscard]] array prod(const array& a, const axis_list& along = {}, bool keepdims = false,
                         call_site here = call_site::current());
/// A NaN among the elements is the result.
[[nodiscard]] array min(const array& a, const axis_list& along = {}, bool keepdims = false,
                        call_site here = call_site::current());
[[nodiscard]] array max(const array& a, const axis_list& along = {}, bool keepdims = false,
                        call_site here = call_site::current());
[[nodiscard]] array any(const array& a, const axis_list& along = {}, bool keepdims = false,
                        call_site here = call_site::current());
// `all` is in shape/slice.h, since it is an index, too.
[[nodiscard]] array mean(const array& a, const axis_list& along = {}, bool keepdims = false,
                         call_site here = call_site::current());
/// Of squared distances from the mean, divided by the number of elements less `correction`.
[[nodiscard]] array var(const array& a, const axis_list& along = {}, double correction = 0, bool keepdims = false,
                        call_site here = call_site::current());
[[nodiscard]] array std(const array& a, const axis_list& along = {}, double correction = 0, bool keepdims = false,
                        call_site here = call_site::current());
/// The place of the least or greatest element, the first of equals; NaN counts as such. Along one axis, or, without
/// one, among all elements in their order.
[[nodiscard]] array argmin(const array& a, const axis_list& along = {}, bool keepdims = false,
                           call_site here = call_site::current());
[[nodiscard]] array argmax(const array& a, const axis_list& along = {}, bool keepdims = false,
                           call_site here = call_site::current());
/// How many elements are not zero.
[[nodiscard]] array count_nonzero(const array& a, const axis_list& along = {}, bool keepdims = false,
                                  call_site here = call_site::current());
/// The sum of a diagonal of the last two axes.
[[nodiscard]] array trace(const array& a, std::int64_t distance = 0, call_site here = call_site::current());

}  // namespace tessera::nd
