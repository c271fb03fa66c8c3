#pragma once

#include <cstdint>
#include <vector>

#include "tessera/base/geometry/box.h"

namespace tessera::algo {

/// Elements lo <= x < hi of a container, counted row by row; empty unless lo < hi.
struct linear_range {
  std::int64_t lo = 0, hi = 0;

  [[nodiscard]] bool empty() const { return lo >= hi; }
  [[nodiscard]] std::int64_t size() const { return empty() ? 0 : hi - lo; }
  [[nodiscard]] bool has(std::int64_t x) const { return lo <= x && x < hi; }
  [[nodiscard]] bool overlaps(const linear_range& other) const {
    return !empty() && !other.empty() && lo < other.hi && other.lo < hi;
  }
  /// True if both together are one range.
  [[nodiscard]] bool joins(const linear_range& other) const {
    return empty() || other.empty() || (lo <= other.hi && other.lo <= hi);
  }
  [[nodiscard]] bool contains(const linear_range& other) const {
    return other.empty() || (lo <= other.lo && other.hi <= hi);
  }
  bool operator==(const linear_range&) const = default;
};

[[nodiscard]] linear_range intersect(const linear_range& a, const linear_range& b);
/// The smallest range that holds both.
[[nodiscard]] linear_range hull(const linear_range& a, const linear_range& b);
/// What of `a` lies before and behind `b`.
struct remainder_ranges {
  linear_range before, behind;
};
[[nodiscard]] remainder_ranges subtract(const linear_range& a, const linear_range& b);

/// From the first to the last element of a box of an array of `shape`.
[[nodiscard]] linear_range range_of(const box& part, const extents& shape);
/// True if the elements of `part` are all of `range_of(part, shape)`.
[[nodiscard]] bool is_contiguous(const box& part, const extents& shape);
/// The boxes of an array of `shape` that hold the elements of `range`, in their order: at most 2 * rank - 1.
[[nodiscard]] std::vector<box> boxes_of(const linear_range& range, const extents& shape);

}  // namespace tessera::algo
