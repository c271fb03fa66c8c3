#include "tessera/nd/view.h"

#include <algorithm>
#include <vector>

#include "tessera/base/checked.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::nd {
namespace {

extents without(const extents& list, int axis) {
  std::vector<std::int64_t> kept(list.begin(), list.end());
  kept.erase(kept.begin() + axis);
  return extents(kept);
}

extents with(const extents& list, int position, std::int64_t value) {
  std::vector<std::int64_t> longer(list.begin(), list.end());
  longer.insert(longer.begin() + position, value);
  return extents(longer);
}

std::int64_t product(const extents& shape) {
  std::int64_t size = 1;
  for (const std::int64_t n : shape) size = checked_multiply(size, n, "the number of elements of an array");
  return size;
}

/// Axes [first, last) of a view that count as one, since each runs where the one before it ends.
struct axis_group {
  int first = 0, last = 0;
};

/// Shapes without axes of one element, and the strides of those that are left.
view without_single_axes(const view& v) {
  view made = v;
  for (int axis = made.rank() - 1; axis >= 0; --axis)
    if (made.shape[axis] == 1) {
      made.strides = without(made.strides, axis);
      made.shape = without(made.shape, axis);
    }
  return made;
}

}  // namespace

view view::whole(const extents& shape) {
  view made{shape, shape, 0};
  std::int64_t stride = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    made.strides[axis] = stride;
    stride = checked_multiply(stride, std::max<std::int64_t>(shape[axis], 1), "the number of elements of an array");
  }
  return made;
}

std::int64_t view::size() const { return product(shape); }

bool view::is_contiguous() const {
  std::int64_t expected = 1;
  if (size() <= 1) return true;
  for (int axis = rank() - 1; axis >= 0; --axis) {
    if (shape[axis] == 1) continue;
    if (strides[axis] != expected) return false;
    expected *= shape[axis];
  }
  return true;
}

bool view::repeats() const {
  for (int axis = 0; axis < rank(); ++axis)
    if (shape[axis] > 1 && strides[axis] == 0) return true;
  return false;
}

std::int64_t view::element(const extents& index) const {
  std::int64_t at = offset;
  for (int axis = 0; axis < rank(); ++axis) at += index[axis] * strides[axis];
  return at;
}

int resolve_axis(int axis, int rank) {
  const int place = axis < 0 ? axis + rank : axis;
  if (place < 0 || place >= rank) throw argument_error(cat("axis ", axis, " of an array with ", rank, " axes"));
  return place;
}

view sliced(const view& v, int axis, const slice& wanted) {
  const int k = resolve_axis(axis, v.rank());
  const resolved_slice part = resolve(wanted, v.shape[k]);
  view made = v;
  made.offset += part.first * v.strides[k];
  made.shape[k] = part.count;
  made.strides[k] = v.strides[k] * part.step;
  return made;
}

view picked(const view& v, int axis, std::int64_t index) {
  const int k = resolve_axis(axis, v.rank());
  const std::int64_t place = resolve_index(index, v.shape[k], k);
  return {without(v.shape, k), without(v.strides, k), v.offset + place * v.strides[k]};
}

view with_axis(const view& v, int position) {
  const int k = resolve_axis(position, v.rank() + 1);
  return {with(v.shape, k, 1), with(v.strides, k, 0), v.offset};
}

view without_axis(const view& v, int axis) {
  const int k = resolve_axis(axis, v.rank());
  if (v.shape[k] != 1)
    throw argument_error(cat("axis ", axis, " cannot be left out: it has ", v.shape[k], " elements"));
  return {without(v.shape, k), without(v.strides, k), v.offset};
}

view permuted(const view& v, std::span<const int> axes) {
  if (static_cast<int>(axes.size()) != v.rank())
    throw argument_error(cat("a permutation of ", axes.size(), " axes for an array with ", v.rank()));
  view made = v;
  std::vector<bool> used(axes.size());
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const int axis = resolve_axis(axes[k], v.rank());
    if (used[static_cast<std::size_t>(axis)]) throw argument_error(cat("a permutation names axis ", axis, " twice"));
    used[static_cast<std::size_t>(axis)] = true;
    made.shape[static_cast<int>(k)] = v.shape[axis];
    made.strides[static_cast<int>(k)] = v.strides[axis];
  }
  return made;
}

view flipped(const view& v, int axis) { return sliced(v, axis, {slice::open, slice::open, -1}); }

view diagonal(const view& v, std::int64_t distance, int axis, int other) {
  const int a = resolve_axis(axis, v.rank()), b = resolve_axis(other, v.rank());
  if (a == b) throw argument_error(cat("a diagonal of axis ", a, " and itself"));
  const std::int64_t row = std::max<std::int64_t>(-distance, 0), column = std::max<std::int64_t>(distance, 0);
  const std::int64_t count = std::max<std::int64_t>(std::min(v.shape[a] - row, v.shape[b] - column), 0);
  view made = v;
  if (count > 0) made.offset += row * v.strides[a] + column * v.strides[b];
  const std::int64_t stride = v.strides[a] + v.strides[b];
  for (const int k : {std::max(a, b), std::min(a, b)}) {
    made.shape = without(made.shape, k);
    made.strides = without(made.strides, k);
  }
  made.shape = with(made.shape, made.shape.rank(), count);
  made.strides = with(made.strides, made.strides.rank(), stride);
  return made;
}

extents broadcast_shape(const extents& a, const extents& b) {
  const int rank = std::max(a.rank(), b.rank());
  extents made = extents::uniform(rank, 1);
  for (int k = 1; k <= rank; ++k) {
    const std::int64_t m = k <= a.rank() ? a[a.rank() - k] : 1, n = k <= b.rank() ? b[b.rank() - k] : 1;
    if (m != n && m != 1 && n != 1)
      throw argument_error(cat("shapes ", to_string(a), " and ", to_string(b), " do not fit: ", m, " and ", n,
                               " elements on axis ", -k));
    made[rank - k] = m == 1 ? n : m;
  }
  return made;
}

view broadcast(const view& v, const extents& shape) {
  if (v.rank() > shape.rank() || broadcast_shape(v.shape, shape) != shape)
    throw argument_error(
        cat("an array of the shape ", to_string(v.shape), " cannot be repeated to ", to_string(shape)));
  view made{shape, extents::uniform(shape.rank(), 0), v.offset};
  const int more = shape.rank() - v.rank();
  for (int k = 0; k < v.rank(); ++k)
    made.strides[k + more] = v.shape[k] == 1 && shape[k + more] != 1 ? 0 : v.strides[k];
  return made;
}

extents complete_shape(const extents& wanted, std::int64_t size) {
  extents made = wanted;
  int open = -1;
  std::int64_t others = 1;
  for (int k = 0; k < wanted.rank(); ++k) {
    if (wanted[k] < -1 || (wanted[k] == -1 && open >= 0))
      throw argument_error(
          cat("the shape ", to_string(wanted), wanted[k] < -1 ? " has a negative extent" : " has two open extents"));
    if (wanted[k] == -1)
      open = k;
    else
      others = checked_multiply(others, wanted[k], "the number of elements of an array");
  }
  if (open >= 0 && others > 0 && size % others == 0) made[open] = size / others;
  if ((open >= 0 && made[open] < 0) || product(made) != size)
    throw argument_error(cat("an array of ", size, " elements cannot have the shape ", to_string(wanted)));
  return made;
}

std::optional<view> reshaped(const view& v, const extents& shape) {
  view made = view::whole(shape);
  if (v.size() == 0 || v.is_contiguous()) {
    made.offset = v.offset;
    return made;
  }
  // Runs of axes on both sides that hold equally many elements; within a run those of `v` must lie in order.
  const view old = without_single_axes(v);
  made.offset = v.offset;
  int from = 0, to = 0;
  while (from < old.rank() || to < shape.rank()) {
    axis_group before{from, from}, after{to, to};
    std::int64_t m = 1, n = 1;
    if (from < old.rank()) m = old.shape[before.last++];
    if (to < shape.rank()) n = shape[after.last++];
    while (m != n) {
      if (m < n)
        m *= old.shape[before.last++];
      else
        n *= shape[after.last++];
    }
    for (int k = before.first; k + 1 < before.last; ++k)
      if (old.strides[k] != old.strides[k + 1] * old.shape[k + 1]) return std::nullopt;
    std::int64_t stride = before.last > before.first ? old.strides[before.last - 1] : 1;
    for (int k = after.last - 1; k >= after.first; --k) {
      made.strides[k] = stride;
      stride *= shape[k];
    }
    from = before.last;
    to = after.last;
  }
  return made;
}

}  // namespace tessera::nd
