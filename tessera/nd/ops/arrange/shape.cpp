#include "tessera/nd/ops/arrange/shape.h"

#include <algorithm>
#include <numeric>

#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/nd/ops/apply.h"
#include "tessera/nd/ops/arrange/assemble.h"

namespace tessera::nd {
namespace {

/// All axes of an array, in their order.
std::array<int, max_rank> axes_in_order() {
  std::array<int, max_rank> axes{};
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

std::span<const int> first_of(const std::array<int, max_rank>& axes, int rank) {
  return std::span(axes).first(index(rank));
}

array part_along(const array& a, int axis, std::int64_t first, std::int64_t last) {
  return a.seen_through(slice_map(a.shape(), axis, {first, last, 1}));
}

void require_parts(const char* name, int parts) {
  if (parts < 1) throw argument_error(cat(name, " into ", parts, " parts: at least one is made"));
}

}  // namespace

array reshape(const array& a, const extents& shape, call_site here) { return a.reshape(shape, here); }
array ravel(const array& a, call_site here) { return a.reshape({-1}, here); }
array flatten(const array& a, call_site here) {
  const array made = new_array({a.size()}, a.type(), {&a, 1}, layout(), here);
  made.reshape(a.shape(), here).assign(a, here);
  return made;
}

array permute_dims(const array& a, const axis_list& axes) {
  return a.seen_through(permutation_map(a.shape(), {axes.begin(), axes.size()}));
}

array transpose(const array& a) { return a.transpose(); }
array transpose(const array& a, const axis_list& axes) { return permute_dims(a, axes); }

array matrix_transpose(const array& a) {
  if (a.rank() < 2) throw argument_error(cat("matrix_transpose of an array with ", a.rank(), " axes: two are needed"));
  return swapaxes(a, -2, -1);
}

array swapaxes(const array& a, int axis, int other) {
  std::array<int, max_rank> axes = axes_in_order();
  std::swap(axes[index(resolve_axis(axis, a.rank()))], axes[index(resolve_axis(other, a.rank()))]);
  return permute_dims(a, first_of(axes, a.rank()));
}

array moveaxis(const array& a, const axis_list& from, const axis_list& to) {
  if (from.size() != to.size())
    throw argument_error(cat("moveaxis of ", from.size(), " axes to ", to.size(), " places"));
  const axis_list sources = from.resolved(a.rank()), targets = to.resolved(a.rank());
  std::array<int, max_rank> axes{};
  for (std::size_t k = 0; k < sources.size(); ++k) axes[index(targets[k])] = sources[k];
  int next = 0;  // the first axis that is not moved and has no place yet
  for (int k = 0; k < a.rank(); ++k) {
    if (targets.contains(k)) continue;
    while (sources.contains(next)) ++next;
    axes[index(k)] = next++;
  }
  return permute_dims(a, first_of(axes, a.rank()));
}

array squeeze(const array& a) {
  array made = a;
  for (int axis = a.rank() - 1; axis >= 0; --axis)
    if (a.shape()[axis] == 1) made = made.seen_through(dropped_axis_map(made.shape(), axis));
  return made;
}

array squeeze(const array& a, const axis_list& axes) {
  const axis_list dropped = axes.resolved(a.rank());
  array made = a;
  for (int axis = a.rank() - 1; axis >= 0; --axis)
    if (dropped.contains(axis)) made = made.seen_through(dropped_axis_map(made.shape(), axis));
  return made;
}

array expand_dims(const array& a, const axis_list& axes) {
  const int rank = a.rank() + static_cast<int>(axes.size());
  if (rank > max_rank) throw_rank_too_large(index(rank));
  const axis_list added = axes.resolved(rank);
  array made = a;
  for (int axis = 0; axis < rank; ++axis)
    if (added.contains(axis)) made = made.seen_through(new_axis_map(made.shape(), axis));
  return made;
}

array atleast_1d(const array& a) { return a.rank() >= 1 ? a : expand_dims(a, 0); }
array atleast_2d(const array& a) { return a.rank() >= 2 ? a : expand_dims(atleast_1d(a), 0); }
array atleast_3d(const array& a) { return a.rank() >= 3 ? a : expand_dims(atleast_2d(a), 2); }

array flip(const array& a) {
  const std::array<int, max_rank> axes = axes_in_order();
  return flip(a, first_of(axes, a.rank()));
}

array flip(const array& a, const axis_list& axes) {
  array made = a;
  for (const int axis : axes.resolved(a.rank())) made = made.seen_through(flip_map(made.shape(), axis));
  return made;
}

array rot90(const array& a, int turns, std::pair<int, int> axes) {
  const axis_list both = axis_list{axes.first, axes.second}.resolved(a.rank());
  switch (((turns % 4) + 4) % 4) {
    case 0:
      return a;
    case 1:
      return swapaxes(flip(a, both[1]), both[0], both[1]);
    case 2:
      return flip(a, both);
    default:
      return flip(swapaxes(a, both[0], both[1]), both[1]);
  }
}

array diagonal(const array& a, std::int64_t distance, int axis, int other) {
  if (a.rank() < 2) throw argument_error(cat("a diagonal of an array with ", a.rank(), " axes: two are needed"));
  return a.seen_through(diagonal_map(a.shape(), distance, axis, other));
}

std::vector<array> broadcast_arrays(std::span<const array> arrays) {
  if (arrays.empty()) return {};
  extents shape = arrays[0].shape();
  for (const array& each : arrays) shape = broadcast_shape(shape, each.shape());
  std::vector<array> made;
  for (const array& each : arrays) made.push_back(broadcast_to(each, shape));
  return made;
}

std::vector<array> broadcast_arrays(std::initializer_list<array> arrays) {
  return broadcast_arrays(std::span(arrays.begin(), arrays.size()));
}

std::vector<array> unstack(const array& a, int axis) {
  const int along = resolve_axis(axis, a.rank());
  std::vector<array> made;
  for (std::int64_t k = 0; k < a.shape()[along]; ++k) made.push_back(a.seen_through(pick_map(a.shape(), along, k)));
  return made;
}

std::vector<array> split(const array& a, int parts, int axis) {
  require_parts("split", parts);
  const std::int64_t length = a.shape()[resolve_axis(axis, a.rank())];
  if (length % parts != 0)
    throw argument_error(
        cat("split of ", length, " elements into ", parts, " equal parts; array_split makes parts that differ by one"));
  return array_split(a, parts, axis);
}

std::vector<array> array_split(const array& a, int parts, int axis) {
  require_parts("array_split", parts);
  const std::int64_t length = a.shape()[resolve_axis(axis, a.rank())], least = length / parts, longer = length % parts;
  std::vector<std::int64_t> places;
  for (std::int64_t k = 1; k < parts; ++k) places.push_back(k * least + std::min(k, longer));
  return split_at(a, places, axis);
}

std::vector<array> split_at(const array& a, std::span<const std::int64_t> places, int axis) {
  const int along = resolve_axis(axis, a.rank());
  std::vector<array> made;
  std::int64_t first = 0;
  for (const std::int64_t place : places) {
    made.push_back(part_along(a, along, first, place));
    first = place;
  }
  made.push_back(part_along(a, along, first, slice::open));
  return made;
}

}  // namespace tessera::nd
