#pragma once

#include <cstdint>
#include <vector>

#include "tessera/base/dtype.h"
#include "tessera/base/geometry/box.h"

namespace tessera::memory {

/// What an array looks like in memory. Strides are in bytes, last axis contiguous.
struct array_format {
  extents shape;
  dtype type;
  extents strides;
  std::int64_t bytes = 0;   ///< With what is in front of the first element.
  std::int64_t origin = 0;  ///< Of the first element.

  static array_format of(const extents& shape, const dtype& type);
};

/// Calls visit(begin, end) for ranges of bytes that together hold all of `bounds`, ascending. Ranges that lie less than
/// `gap` bytes apart are joined.
template <class Visit>
void for_each_range(const array_format& f, const box& bounds, std::int64_t gap, Visit visit) {
  const auto walk = [&](const auto& self, int axis, std::int64_t offset) -> void {
    if (axis < bounds.rank() && f.strides[axis] > gap) {
      for (std::int64_t x = bounds.lo[axis]; x < bounds.hi[axis]; ++x)
        self(self, axis + 1, offset + x * f.strides[axis]);
      return;
    }
    std::int64_t begin = offset, last = offset;
    for (int k = axis; k < bounds.rank(); ++k) {
      begin += bounds.lo[k] * f.strides[k];
      last += (bounds.hi[k] - 1) * f.strides[k];
    }
    visit(begin, last + f.type.size);
  };
  if (!bounds.empty()) walk(walk, 0, f.origin);
}

/// True if `bounds` has every byte between its first and its last.
[[nodiscard]] bool is_dense(const array_format& f, const box& bounds);

/// The elements of which some byte lies in [begin, end), as disjoint boxes.
[[nodiscard]] std::vector<box> boxes_of_range(const array_format& f, std::int64_t begin, std::int64_t end);

}  // namespace tessera::memory
