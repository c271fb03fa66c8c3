#pragma once

#include <span>
#include <utility>
#include <vector>

#include "tessera/nd/array.h"
#include "tessera/nd/shape/axis_list.h"

/// Other shapes of the same elements, with the names of NumPy. Results are views, so that writing them writes the
/// array, except where it says that they are copies. Axes count from the end if they are negative. Throw
/// `argument_error` for axes that an array has not, and for shapes that do not fit.
namespace tessera::nd {

/// One extent may be -1. A copy where elements would have to move.
[[nodiscard]] array reshape(const array& a, const extents& shape, call_site here = call_site::current());
/// All elements on one axis. A copy where elements would have to move.
[[nodiscard]] array ravel(const array& a, call_site here = call_site::current());
/// As `ravel`, always a copy.
[[nodiscard]] array flatten(const array& a, call_site here = call_site::current());

/// Axis k of the result is axis `axes[k]`.
[[nodiscard]] array permute_dims(const array& a, const axis_list& axes, call_site here = call_site::current());
/// With the axes in the opposite order, or in the order given.
[[nodiscard]] array transpose(const array& a, const axis_list& axes = {}, call_site here = call_site::current());
/// With the last two axes exchanged.
[[nodiscard]] array matrix_transpose(const array& a, call_site here = call_site::current());
[[nodiscard]] array swapaxes(const array& a, int axis, int other, call_site here = call_site::current());
/// Axis `from[k]` becomes axis `to[k]` of the result; the others stay in their order.
[[nodiscard]] array moveaxis(const array& a, const axis_list& from, const axis_list& to,
                             call_site here = call_site::current());

/// Without axes of one element: all of them, or those given.
[[nodiscard]] array squeeze(const array& a, const axis_list& axes = {}, call_site here = call_site::current());
/// With new axes of one element, which are axes `axes` of the result.
[[nodiscard]] array expand_dims(const array& a, const axis_list& axes, call_site here = call_site::current());
/// With so many axes at least: new ones come first; for three axes, one goes behind those of a matrix.
[[nodiscard]] array atleast_1d(const array& a, call_site here = call_site::current());
[[nodiscard]] array atleast_2d(const array& a, call_site here = call_site::current());
[[nodiscard]] array atleast_3d(const array& a, call_site here = call_site::current());

/// In the opposite order along all axes, or those given.
[[nodiscard]] array flip(const array& a, const axis_list& axes = {}, call_site here = call_site::current());
/// Turned `turns` times by 90 degrees, from the first axis given towards the second.
[[nodiscard]] array rot90(const array& a, int turns = 1, std::pair<int, int> axes = {0, 1},
                          call_site here = call_site::current());
/// The elements whose places on two axes differ by `distance`, on a last axis instead of these.
[[nodiscard]] array diagonal(const array& a, std::int64_t distance = 0, int axis = 0, int other = 1,
                             call_site here = call_site::current());

/// Each repeated to the shape in which all meet.
[[nodiscard]] std::vector<array> broadcast_arrays(std::span<const array> arrays, call_site here = call_site::current());
[[nodiscard]] std::vector<array> broadcast_arrays(std::initializer_list<array> arrays,
                                                  call_site here = call_site::current());
/// What lies at each place of an axis.
[[nodiscard]] std::vector<array> unstack(const array& a, int axis = 0, call_site here = call_site::current());
/// Parts along an axis: equal ones, or such that the first ones have an element more, or those between the given
/// places.
[[nodiscard]] std::vector<array> split(const array& a, int parts, int axis = 0, call_site here = call_site::current());
[[nodiscard]] std::vector<array> array_split(const array& a, int parts, int axis = 0,
                                             call_site here = call_site::current());
[[nodiscard]] std::vector<array> split_at(const array& a, std::span<const std::int64_t> places, int axis = 0,
                                          call_site here = call_site::current());

}  // namespace tessera::nd
