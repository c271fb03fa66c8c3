#include "tessera/nd/fuse/access.h"

#include <algorithm>
#include <utility>

#include "tessera/base/defects.h"
#include "tessera/base/index.h"

namespace tessera::nd {
namespace {

/// How two neighbouring axes of a domain can become one, as far as one access is concerned.
enum class joining : std::uint8_t { impossible, possible, joins_axes };

bool uses_only(const access_axis& axis, int j) {
  for (int k = 0; k < max_rank; ++k)
    if (k != j && axis.steps[index(k)] != 0) return false;
  return true;
}

/// `at` is the first of the array's axes to join, where the answer is `joins_axes`.
joining can_join(const array_access& access, const extents& shape, int j, std::int64_t inner, int& at) {
  int outer_axis = -1, inner_axis = -1;
  for (int k = 0; k < static_cast<int>(access.axes.size()); ++k) {
    const access_axis& axis = access.axes[index(k)];
    if (axis.steps[index(j)] != 0 && std::exchange(outer_axis, k) >= 0) return joining::impossible;
    if (axis.steps[index(j + 1)] != 0 && std::exchange(inner_axis, k) >= 0) return joining::impossible;
  }
  if (outer_axis < 0 && inner_axis < 0) return joining::possible;
  if (outer_axis < 0 || inner_axis < 0) return joining::impossible;
  const access_axis &outside = access.axes[index(outer_axis)], &inside = access.axes[index(inner_axis)];
  const std::int64_t big = outside.steps[index(j)], small = inside.steps[index(j + 1)];
  if (outer_axis == inner_axis) return big == small * inner ? joining::possible : joining::impossible;
  const bool is_all = (inside.first == 0 && shape[inner_axis] == inner) || planted("axes_joined");
  const bool follows = inner_axis == outer_axis + 1 && big == 1 && small == 1 && is_all && uses_only(inside, j + 1) &&
                       uses_only(outside, j);
  at = outer_axis;
  return follows ? joining::joins_axes : joining::impossible;
}

/// Axes `at` and `at + 1` of an array as one.
void join_array_axes(extents& shape, int array, int at, std::vector<array_access>& accesses) {
  const std::int64_t inner = shape[at + 1];
  shape[at] *= inner;
  shape = without_extent(shape, at + 1);
  for (array_access& access : accesses) {
    if (access.array != array) continue;
    access_axis &outside = access.axes[index(at)], &inside = access.axes[index(at + 1)];
    outside.first = outside.first * inner + inside.first;
    for (std::size_t j = 0; j < outside.steps.size(); ++j)
      outside.steps[j] = outside.steps[j] * inner + inside.steps[j];
    access.axes.erase(access.axes.begin() + at + 1);
  }
}

/// Takes axis j out of the domain; what it stood for is said by the others.
void remove_domain_axis(access_space& space, int j) {
  space.domain = without_extent(space.domain, j);
  space.window_lo = without_extent(space.window_lo, j);
  space.window_hi = without_extent(space.window_hi, j);
  for (array_access& access : space.accesses)
    for (access_axis& axis : access.axes) {
      std::copy(axis.steps.begin() + j + 1, axis.steps.end(), axis.steps.begin() + j);
      axis.steps.back() = 0;
    }
}

/// Axis j + 1 of the domain takes in axis j.
void join_domain_axes(access_space& space, int j) {
  const std::int64_t inner = space.domain[j + 1];
  space.domain[j + 1] *= space.domain[j];
  space.window_lo[j + 1] = space.window_lo[j] * inner;
  space.window_hi[j + 1] = space.window_hi[j] * inner;
  remove_domain_axis(space, j);
}

}  // namespace

bool access_space::join_axis(int j) {
  access_space& space = *this;
  const std::int64_t inner = space.domain[j + 1];
  if (space.window_lo[j + 1] != 0 || space.window_hi[j + 1] != inner) return false;
  std::vector<std::pair<int, int>> joined;  // array and axis
  for (const array_access& access : space.accesses) {
    int at = -1;
    const joining found = can_join(access, space.arrays[index(access.array)], j, inner, at);
    if (found == joining::impossible) return false;
    const std::pair pair(access.array, at);
    if (found == joining::joins_axes && std::find(joined.begin(), joined.end(), pair) == joined.end())
      joined.push_back(pair);
  }
  // Two different places of one array would move each other.
  for (std::size_t k = 1; k < joined.size(); ++k)
    for (std::size_t other = 0; other < k; ++other)
      if (joined[k].first == joined[other].first) return false;
  for (const auto& [array, at] : joined) join_array_axes(space.arrays[index(array)], array, at, space.accesses);
  join_domain_axes(space, j);
  return true;
}

array_access array_access::through(int array, const index_map& map) {
  array_access made{array, std::vector<access_axis>(index(map.source_rank))};
  for (int k = 0; k < map.source_rank; ++k) {
    const index_map::term& t = map.terms[index(k)];
    made.axes[index(k)].first = t.first;
    if (t.axis >= 0 && map.domain[t.axis] > 1) made.axes[index(k)].steps[index(t.axis)] = t.step;
  }
  return made;
}

array_access array_access::through(int array, const view& elements, const index_map& indices) {
  const view chosen = selected(elements, indices);
  array_access made{array, std::vector<access_axis>(1)};
  made.axes[0].first = planted("flat_offset_lost") ? elements.offset : chosen.offset;
  for (int j = 0; j < chosen.rank(); ++j)
    if (chosen.shape[j] > 1) made.axes[0].steps[index(j)] = chosen.strides[j];
  return made;
}

std::int64_t array_access::stride(int j, const extents& shape) const {
  const extents strides = dense_strides(shape, 1);
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < axes.size(); ++k) sum += axes[k].steps[index(j)] * strides[static_cast<int>(k)];
  return sum;
}

std::int64_t array_access::offset(const extents& shape) const {
  const extents strides = dense_strides(shape, 1);
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < axes.size(); ++k) sum += axes[k].first * strides[static_cast<int>(k)];
  return sum;
}

void access_space::collapse(std::span<const bool> fixed) {
  std::vector<bool> stays(fixed.begin(), fixed.end());
  for (int j = domain.rank() - 1; j >= 0 && domain.rank() > 1; --j)
    if (domain[j] == 1) {
      remove_domain_axis(*this, j);
      stays.erase(stays.begin() + j);
    }
  for (int j = domain.rank() - 2; j >= 0; --j)
    if (!stays[index(j + 1)] && join_axis(j)) stays.erase(stays.begin() + j + 1);
}

}  // namespace tessera::nd
