#include "tessera/nd/ops/arrange/shape.h"

#include <algorithm>
#include <numeric>

#include "tessera/base/index.h"
#include "tessera/nd/ops/apply.h"
#include "tessera/nd/ops/arrange/assemble.h"
#include "tessera/nd/refuse.h"

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

array part_along(const array& a, int axis, std::int64_t first, std::int64_t last, call_site here) {
  return a.seen_through(slice_map(a.shape(), axis, {first, last, 1}), here);
}

void require_parts(const char* name, int parts, call_site here) {
  if (parts < 1) refuse(here, name, " into ", parts, " parts: at least one is made");
}

}  // namespace

array reshape(const array& a, const extents& shape, call_site here) { return a.reshape(shape, here); }
array ravel(const array& a, call_site here) { return a.reshape({-1}, here); }
array flatten(const array& a, call_site here) {
  a.require_assigned(here);
  const array made = new_array({a.size(here)}, a.type(), {&a, 1}, layout(), here);
  made.reshape(a.shape(), here).assign(a, here);
  return made;
}

array permute_dims(const array& a, const axis_list& axes, call_site here) {
  return a.seen_through(permutation_map(a.shape(here), {axes.begin(), axes.size()}, here), here);
}

array transpose(const array& a, const axis_list& axes, call_site here) {
  return axes.is_given() ? permute_dims(a, axes, here) : a.transpose(here);
}

array matrix_transpose(const array& a, call_site here) {
  if (a.rank(here) < 2) refuse(here, "matrix_transpose of an array with ", a.rank(), " axes: two are needed");
  return swapaxes(a, -2, -1, here);
}

array swapaxes(const array& a, int axis, int other, call_site here) {
  a.require_assigned(here);
  std::array<int, max_rank> axes = axes_in_order();
  std::swap(axes[index(resolve_axis(axis, a.rank(here), here))], axes[index(resolve_axis(other, a.rank(), here))]);
  return permute_dims(a, first_of(axes, a.rank()), here);
}

array moveaxis(const array& a, const axis_list& from, const axis_list& to, call_site here) {
  if (from.size() != to.size()) refuse(here, "moveaxis of ", from.size(), " axes to ", to.size(), " places");
  const axis_list sources = from.resolved(a.rank(here), here), targets = to.resolved(a.rank(), here);
  std::array<int, max_rank> axes{};
  for (std::size_t k = 0; k < sources.size(); ++k) axes[index(targets[k])] = sources[k];
  int next = 0;  // the first axis that is not moved and has no place yet
  for (int k = 0; k < a.rank(); ++k) {
    if (targets.contains(k)) continue;
    while (sources.contains(next)) ++next;
    axes[index(k)] = next++;
  }
  return permute_dims(a, first_of(axes, a.rank()), here);
}

array squeeze(const array& a, const axis_list& axes, call_site here) {
  const axis_list dropped = axes.resolved(a.rank(here), here);
  array made = a;
  for (int axis = a.rank() - 1; axis >= 0; --axis)
    if (axes.is_given() ? dropped.contains(axis) : a.shape()[axis] == 1)
      made = made.seen_through(dropped_axis_map(made.shape(), axis, here));
  return made;
}

array expand_dims(const array& a, const axis_list& axes, call_site here) {
  const int rank = a.rank(here) + static_cast<int>(axes.size());
  if (rank > max_rank) in_call(here, [&] { throw_rank_too_large(index(rank)); });
  const axis_list added = axes.resolved(rank, here);
  array made = a;
  for (int axis = 0; axis < rank; ++axis)
    if (added.contains(axis)) made = made.seen_through(new_axis_map(made.shape(), axis));
  return made;
}

array atleast_1d(const array& a, call_site here) { return a.rank(here) >= 1 ? a : expand_dims(a, 0, here); }
array atleast_2d(const array& a, call_site here) {
  return a.rank(here) >= 2 ? a : expand_dims(atleast_1d(a, here), 0, here);
}
array atleast_3d(const array& a, call_site here) {
  return a.rank(here) >= 3 ? a : expand_dims(atleast_2d(a, here), 2, here);
}

array flip(const array& a, const axis_list& axes, call_site here) {
  const std::array<int, max_rank> every = axes_in_order();
  const axis_list turned =
      axes.is_given() ? axes.resolved(a.rank(here), here) : axis_list(first_of(every, a.rank(here)));
  array made = a;
  for (const int axis : turned) made = made.seen_through(flip_map(made.shape(), axis));
  return made;
}

array rot90(const array& a, int turns, std::pair<int, int> axes, call_site here) {
  const axis_list both = axis_list{axes.first, axes.second}.resolved(a.rank(here), here);
  switch (((turns % 4) + 4) % 4) {
    case 0:
      return a;
    case 1:
      return swapaxes(flip(a, both[1], here), both[0], both[1], here);
    case 2:
      return flip(a, both, here);
    default:
      return flip(swapaxes(a, both[0], both[1], here), both[1], here);
  }
}

array diagonal(const array& a, std::int64_t distance, int axis, int other, call_site here) {
  if (a.rank(here) < 2) refuse(here, "a diagonal of an array with ", a.rank(), " axes: two are needed");
  return a.seen_through(diagonal_map(a.shape(), distance, axis, other, here));
}

std::vector<array> broadcast_arrays(std::span<const array> arrays, call_site here) {
  if (arrays.empty()) return {};
  extents shape = arrays[0].shape(here);
  for (const array& each : arrays) shape = broadcast_shape(shape, each.shape(here), here);
  std::vector<array> made;
  for (const array& each : arrays) made.push_back(broadcast_to(each, shape, here));
  return made;
}

std::vector<array> broadcast_arrays(std::initializer_list<array> arrays, call_site here) {
  return broadcast_arrays(std::span(arrays.begin(), arrays.size()), here);
}

std::vector<array> unstack(const array& a, int axis, call_site here) {
  const int along = resolve_axis(axis, a.rank(here), here);
  std::vector<array> made;
  for (std::int64_t k = 0; k < a.shape()[along]; ++k) made.push_back(a.seen_through(pick_map(a.shape(), along, k)));
  return made;
}

std::vector<array> split(const array& a, int parts, int axis, call_site here) {
  require_parts("split", parts, here);
  const std::int64_t length = a.shape(here)[resolve_axis(axis, a.rank(), here)];
  if (length % parts != 0)
    refuse(here, "split of ", length, " elements into ", parts,
           " equal parts; array_split makes parts that differ by one");
  return array_split(a, parts, axis, here);
}

std::vector<array> array_split(const array& a, int parts, int axis, call_site here) {
  require_parts("array_split", parts, here);
  const std::int64_t length = a.shape(here)[resolve_axis(axis, a.rank(), here)], least = length / parts,
                     longer = length % parts;
  std::vector<std::int64_t> places;
  for (std::int64_t k = 1; k < parts; ++k) places.push_back(k * least + std::min(k, longer));
  return split_at(a, places, axis, here);
}

std::vector<array> split_at(const array& a, std::span<const std::int64_t> places, int axis, call_site here) {
  const int along = resolve_axis(axis, a.rank(here), here);
  std::vector<array> made;
  std::int64_t first = 0;
  for (const std::int64_t place : places) {
    made.push_back(part_along(a, along, first, place, here));
    first = place;
  }
  made.push_back(part_along(a, along, first, slice::open, here));
  return made;
}

}  // namespace tessera::nd
