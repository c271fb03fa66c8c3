#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tessera/base/geometry/box.h"
#include "tessera/nd/shape/slice.h"

namespace tessera::nd {

/// Which element of a source each index of a domain stands for: the place on source axis k is first + step * index of
/// one axis of the domain, or `first` alone. Slices, transposes, flips, repetitions and diagonals are such maps, and
/// one behind the other are one. A value; functions throw `argument_error` for axes and shapes that do not fit, in the
/// line that they are given.
struct index_map {
  /// Of one axis of the source.
  struct term {
    std::int64_t first = 0;
    std::int64_t step = 0;
    int axis = -1;  ///< Of the domain; -1: none.
    bool operator==(const term&) const = default;
  };

  extents domain;
  int source_rank = 0;
  std::array<term, max_rank> terms{};

  [[nodiscard]] static index_map identity(const extents& shape);
  [[nodiscard]] bool is_identity(const extents& source) const;
  /// True if several indices of the domain have one element.
  [[nodiscard]] bool repeats() const;
  /// Where `index` of the domain is found.
  [[nodiscard]] extents at(const extents& index) const;
  bool operator==(const index_map&) const = default;
};

/// The map from the domain of `inner`, whose elements are those of `outer`'s domain.
[[nodiscard]] index_map compose(const index_map& outer, const index_map& inner);

/// `axis`, which counts from the end if it is negative, as one of `rank` axes.
[[nodiscard]] int resolve_axis(int axis, int rank, call_site here = {});

/// Maps into a source of the shape `shape`.
[[nodiscard]] index_map slice_map(const extents& shape, int axis, const slice& wanted, call_site here = {});
/// One element of an axis, which the domain does not have.
[[nodiscard]] index_map pick_map(const extents& shape, int axis, std::int64_t index, call_site here = {});
/// A new axis of one element in front of axis `position` of the domain.
[[nodiscard]] index_map new_axis_map(const extents& shape, int position, call_site here = {});
/// Without an axis of one element.
[[nodiscard]] index_map dropped_axis_map(const extents& shape, int axis, call_site here = {});
/// Axis k of the domain is axis `axes[k]`.
[[nodiscard]] index_map permutation_map(const extents& shape, std::span<const int> axes, call_site here = {});
[[nodiscard]] index_map flip_map(const extents& shape, int axis, call_site here = {});
/// The elements whose places on two axes differ by `distance`, as a last axis instead of them.
[[nodiscard]] index_map diagonal_map(const extents& shape, std::int64_t distance, int axis, int other,
                                     call_site here = {});

/// The shape in which two arrays meet: axes are compared from the last on, and one of a single element is repeated.
[[nodiscard]] extents broadcast_shape(const extents& a, const extents& b, call_site here = {});
[[nodiscard]] index_map broadcast_map(const extents& shape, const extents& wanted, call_site here = {});

/// A shape with one axis more or fewer.
[[nodiscard]] extents with_extent(const extents& shape, int position, std::int64_t value);
[[nodiscard]] extents without_extent(const extents& shape, int axis);

}  // namespace tessera::nd
