#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "tessera/nd/array.h"
#include "tessera/nd/shape/axis_list.h"

/// New arrays of the elements of others, with the names of NumPy. Their type is the one in which the arrays meet, their
/// layout that of the first array that has one. Throw `argument_error` for axes and shapes that do not fit.
namespace tessera::nd {

/// The arrays one behind the other along an axis. They agree on all other axes.
[[nodiscard]] array concat(std::span<const array> arrays, int axis = 0, call_site here = call_site::current());
[[nodiscard]] array concat(std::initializer_list<array> arrays, int axis = 0, call_site here = call_site::current());
/// Arrays of one shape along a new axis, which is axis `axis` of the result.
[[nodiscard]] array stack(std::span<const array> arrays, int axis = 0, call_site here = call_site::current());
[[nodiscard]] array stack(std::initializer_list<array> arrays, int axis = 0, call_site here = call_site::current());
/// Along the second axis, or the only one.
[[nodiscard]] array hstack(std::span<const array> arrays, call_site here = call_site::current());
[[nodiscard]] array hstack(std::initializer_list<array> arrays, call_site here = call_site::current());
/// Along the first axis; vectors are rows.
[[nodiscard]] array vstack(std::span<const array> arrays, call_site here = call_site::current());
[[nodiscard]] array vstack(std::initializer_list<array> arrays, call_site here = call_site::current());

/// The whole array `counts[k]` times along axis k; axes that are missing on either side count from the last.
[[nodiscard]] array tile(const array& a, const extents& counts, call_site here = call_site::current());
/// Each element `count` times, along an axis, or of the array as a line.
[[nodiscard]] array repeat(const array& a, std::int64_t count, int axis, call_site here = call_site::current());
[[nodiscard]] array repeat(const array& a, std::int64_t count, call_site here = call_site::current());

/// Elements moved by `distances[k]` places along `axes[k]`; those that leave at one end come in at the other. With one
/// distance for all axes, or one each.
[[nodiscard]] array roll(const array& a, const extents& distances, const axis_list& axes,
                         call_site here = call_site::current());
/// Of the array as a line.
[[nodiscard]] array roll_line(const array& a, std::int64_t distance, call_site here);
template <std::integral T>  // so that a list of distances never is one
[[nodiscard]] array roll(const array& a, T distance, call_site here = call_site::current()) {
  return roll_line(a, distance, here);
}

/// Places in front of an axis and behind it.
using pad_width = std::pair<std::int64_t, std::int64_t>;
enum class pad_mode : std::uint8_t { constant, edge };
/// With elements around it: `widths` are those of each axis, or of all if there is one. They are zeros, or repeat the
/// elements at the edge.
[[nodiscard]] array pad(const array& a, std::span<const pad_width> widths, pad_mode mode = pad_mode::constant,
                        call_site here = call_site::current());
[[nodiscard]] array pad(const array& a, std::initializer_list<pad_width> widths, pad_mode mode = pad_mode::constant,
                        call_site here = call_site::current());
/// They are `value`, which the array's type has.
[[nodiscard]] array pad(const array& a, std::span<const pad_width> widths, const number& value, call_site here);
[[nodiscard]] array pad(const array& a, std::initializer_list<pad_width> widths, const number& value,
                        call_site here = call_site::current());

}  // namespace tessera::nd
