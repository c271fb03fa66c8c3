#include "tessera/nd/shape/view.h"

#include <algorithm>

#include "tessera/base/checked.h"
#include "tessera/base/index.h"
#include "tessera/nd/refuse.h"

namespace tessera::nd {
namespace {

/// Axes [first, last) of a view that count as one, since each runs where the one before it ends.
struct axis_group {
  int first = 0, last = 0;
};

/// Shapes without axes of one element, and the strides of those that are left.
view without_single_axes(const view& v) {
  view made = v;
  for (int axis = made.rank() - 1; axis >= 0; --axis)
    if (made.shape[axis] == 1) {
      made.strides = without_extent(made.strides, axis);
      made.shape = without_extent(made.shape, axis);
    }
  return made;
}

}  // namespace

std::int64_t element_count(const extents& shape) {
  std::int64_t size = 1;
  for (const std::int64_t n : shape) size = checked_multiply(size, n, "the number of elements of an array");
  return size;
}

std::int64_t byte_count(const extents& shape, std::uint32_t element_size) {
  return checked_multiply(element_count(shape), element_size, "the bytes of an array");
}

view view::whole(const extents& shape) {
  view made{shape, shape, 0};
  std::int64_t stride = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    made.strides[axis] = stride;
    stride = checked_multiply(stride, std::max<std::int64_t>(shape[axis], 1), "the number of elements of an array");
  }
  return made;
}

std::int64_t view::size() const { return element_count(shape); }

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

view selected(const view& v, const index_map& map) {
  view made{map.domain, extents::uniform(map.domain.rank(), 0), v.offset};
  for (int k = 0; k < map.source_rank; ++k) {
    const index_map::term& t = map.terms[index(k)];
    if (element_count(map.domain) > 0) made.offset += t.first * v.strides[k];
    if (t.axis >= 0) made.strides[t.axis] += t.step * v.strides[k];
  }
  return made;
}

extents complete_shape(const extents& wanted, std::int64_t size, call_site here) {
  extents made = wanted;
  int open = -1;
  std::int64_t others = 1;
  for (int k = 0; k < wanted.rank(); ++k) {
    if (wanted[k] < -1 || (wanted[k] == -1 && open >= 0))
      refuse(here, "the shape ", to_string(wanted),
             wanted[k] < -1 ? " has a negative extent" : " has two open extents");
    if (wanted[k] == -1)
      open = k;
    else
      others = in_call(here, [&] { return checked_multiply(others, wanted[k], "the number of elements of an array"); });
  }
  if (open >= 0 && others > 0 && size % others == 0) made[open] = size / others;
  if ((open >= 0 && made[open] < 0) || element_count(made) != size)
    refuse(here, "an array of ", size, " elements cannot have the shape ", to_string(wanted));
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
