#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "tessera/base/geometry/box.h"
#include "tessera/nd/slice.h"

namespace tessera::nd {

/// A map from the indices of an array to elements of a storage, which lie one behind the other: element x is at
/// offset + sum(x[k] * strides[k]). Slices, transposes, flips, repetitions and diagonals of views are views. A value;
/// functions throw `argument_error` for axes and shapes that do not fit.
struct view {
  extents shape;
  extents strides;  ///< In elements: 0 where an axis repeats one, negative where it runs backwards.
  std::int64_t offset = 0;

  /// All of a storage, row-major.
  [[nodiscard]] static view whole(const extents& shape);

  [[nodiscard]] int rank() const { return shape.rank(); }
  [[nodiscard]] std::int64_t size() const;
  /// True if elements lie one behind the other in the order of indices.
  [[nodiscard]] bool is_contiguous() const;
  /// True if several indices have one element, so that nothing can be written through the view.
  [[nodiscard]] bool repeats() const;
  [[nodiscard]] std::int64_t element(const extents& index) const;
  bool operator==(const view&) const = default;
};

/// `axis`, which counts from the end if it is negative, as one of `rank` axes.
[[nodiscard]] int resolve_axis(int axis, int rank);

[[nodiscard]] view sliced(const view& v, int axis, const slice& wanted);
/// One element of an axis, which is then none of the view any more.
[[nodiscard]] view picked(const view& v, int axis, std::int64_t index);
/// A new axis of one element in front of axis `position` of the result.
[[nodiscard]] view with_axis(const view& v, int position);
/// Without an axis of one element.
[[nodiscard]] view without_axis(const view& v, int axis);
/// Axis k of the result is axis `axes[k]`.
[[nodiscard]] view permuted(const view& v, std::span<const int> axes);
[[nodiscard]] view flipped(const view& v, int axis);
/// The elements whose places on two axes differ by `distance`, as a last axis instead of them.
[[nodiscard]] view diagonal(const view& v, std::int64_t distance, int axis, int other);

/// The shape in which two arrays meet: axes are compared from the last on, and one of a single element is repeated.
[[nodiscard]] extents broadcast_shape(const extents& a, const extents& b);
[[nodiscard]] view broadcast(const view& v, const extents& shape);

/// `wanted` with the extent that is -1, if one is, such that there are `size` elements.
[[nodiscard]] extents complete_shape(const extents& wanted, std::int64_t size);
/// The same elements in the same order with another shape of as many; nothing if they would have to move.
[[nodiscard]] std::optional<view> reshaped(const view& v, const extents& shape);

}  // namespace tessera::nd
