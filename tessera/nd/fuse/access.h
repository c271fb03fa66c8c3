#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tessera/nd/shape/index_map.h"
#include "tessera/nd/shape/view.h"

namespace tessera::nd {

/// The place on one axis of an array: first + sum(steps[j] * index on axis j of the domain).
struct access_axis {
  std::int64_t first = 0;
  std::array<std::int64_t, max_rank> steps{};
  bool operator==(const access_axis&) const = default;
};

/// Which element of an array each index of a domain stands for.
struct array_access {
  int array = 0;  ///< Among those of the group.
  std::vector<access_axis> axes;
  bool operator==(const array_access&) const = default;

  [[nodiscard]] static array_access through(int array, const index_map& map);
  /// Of the flat storage of an array, seen as one axis; `indices` gives the view's index for one of the domain.
  [[nodiscard]] static array_access through(int array, const view& elements, const index_map& indices);

  /// Elements between neighbours on axis j of the domain, of an array of `shape`.
  [[nodiscard]] std::int64_t stride(int j, const extents& shape) const;
  /// The element of index 0, 0, ...
  [[nodiscard]] std::int64_t offset(const extents& shape) const;
};

/// The domain of a launch and what its indices stand for, with as few axes as possible: neighbouring axes of the domain
/// that run through memory as one become one, and so do those of arrays.
struct access_space {
  extents domain;
  std::vector<extents> arrays;         ///< The shape of each array, as the accesses see it.
  std::vector<array_access> accesses;  ///< Loads and stores.
  extents window_lo, window_hi;        ///< The part of the domain that is computed; the rest is copied.

  /// Joins axes where that is possible, but none in front of `fixed[j]`: axis j stays an axis of its own.
  void collapse(std::span<const bool> fixed);
  /// Joins axes j and j + 1 of the domain, if that is possible.
  bool join_axis(int j);
};

}  // namespace tessera::nd
