#include "tessera/algo/container/coherence/linear_range.h"

#include <algorithm>

namespace tessera::algo {

linear_range intersect(const linear_range& a, const linear_range& b) {
  return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
}

linear_range hull(const linear_range& a, const linear_range& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

remainder_ranges subtract(const linear_range& a, const linear_range& b) {
  if (!a.overlaps(b)) return {a, {}};
  return {{a.lo, std::min(a.hi, b.lo)}, {std::max(a.lo, b.hi), a.hi}};
}

linear_range range_of(const box& part, const extents& shape) {
  if (part.empty()) return {};
  const extents strides = dense_strides(shape, 1);
  const std::int64_t first = offset_of(strides, part.lo);
  return {first, first + span_bytes(strides, part, 1)};
}

bool is_contiguous(const box& part, const extents& shape) { return range_of(part, shape).size() == part.volume(); }

namespace {

/// Appends the boxes of `range`, which lies within one index of each axis before `axis`; `at` has these indices.
void append_boxes(linear_range range, const extents& shape, int axis, extents& at, std::vector<box>& out) {
  if (range.empty()) return;
  std::int64_t inner = 1;  // elements per index of the axis
  for (int k = axis + 1; k < shape.rank(); ++k) inner *= shape[k];
  const auto slab = [&](std::int64_t lo, std::int64_t hi) {
    box b{at, at};
    for (int k = 0; k < shape.rank(); ++k) {
      b.lo[k] = k < axis ? at[k] : k == axis ? lo : 0;
      b.hi[k] = k < axis ? at[k] + 1 : k == axis ? hi : shape[k];
    }
    if (!b.empty()) out.push_back(b);
  };
  const auto partly = [&](std::int64_t index, linear_range rest) {
    at[axis] = index;
    append_boxes({rest.lo - index * inner, rest.hi - index * inner}, shape, axis + 1, at, out);
  };
  const std::int64_t first = range.lo / inner, last = range.hi / inner;  // `last` is partly in the range, if at all
  if (first == last) return partly(first, range);
  const bool cut = range.lo % inner != 0;
  if (cut) partly(first, {range.lo, (first + 1) * inner});
  slab(first + (cut ? 1 : 0), last);
  if (range.hi % inner != 0) partly(last, {last * inner, range.hi});
}

}  // namespace

std::vector<box> boxes_of(const linear_range& range, const extents& shape) {
  std::vector<box> boxes;
  extents at = extents::uniform(shape.rank(), 0);
  append_boxes(range, shape, 0, at, boxes);
  return boxes;
}

}  // namespace tessera::algo
