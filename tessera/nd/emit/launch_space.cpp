#include "tessera/nd/emit/launch_space.h"

#include <algorithm>
#include <bit>

#include "tessera/base/checked.h"
#include "tessera/base/index.h"
#include "tessera/nd/graph/graph.h"

namespace tessera::nd {
namespace {

/// Axes that stay: those that the layout of what is written cuts beside another one.
std::vector<char> axes_of_layout(const group& made, const graph& owner) {
  std::vector<char> fixed(index(made.domain.rank()), 0);
  if (owner.devices() == 1) return fixed;
  for (const group_output& output : made.outputs)
    if (output.made)
      for (const int axis : output.made->placement.axes())
        if (axis < made.domain.rank()) fixed[index(axis)] = 1;
  return fixed;
}

}  // namespace

launch_space::launch_space(const group& made, bool keeps_axes) {
  space_.domain = made.domain;
  space_.accesses = made.accesses;
  for (const group_array& a : made.arrays) space_.arrays.push_back(a.seen);
  space_.window_lo = extents::uniform(made.domain.rank(), 0);
  space_.window_hi = made.domain;
  if (made.window) {
    has_window_ = true;
    space_.window_lo = made.window->lo;
    space_.window_hi = made.window->hi;
  }
  if (made.domain.rank() == 0 && !keeps_axes) {
    space_.domain = space_.window_hi = {1};
    space_.window_lo = {0};
  }
}

void launch_space::collapse(std::vector<char> fixed) {
  std::array<bool, max_rank> stays{};
  std::copy(fixed.begin(), fixed.end(), stays.begin());
  space_.collapse(std::span(stays).first(fixed.size()));
}

launch_space launch_space::pointwise(const group& made, const graph& owner) {
  launch_space s(made, false);
  if (!made.uses_places() && made.domain.rank() > 0) s.collapse(axes_of_layout(made, owner));
  for (int j = 0; j < s.axes(); ++j) s.along_.push_back(std::min(s.axes() - 1 - j, 2));
  s.choose_tiles(!owner.has_host_values());
  s.list_numbers();
  return s;
}

launch_space launch_space::along_axes(const group& made, std::span<const int> along,
                                      const std::array<std::int64_t, 3>& tiles) {
  launch_space s(made, true);
  s.along_.assign(along.begin(), along.end());
  s.tiles_ = tiles;
  // Axes of one axis of the launch are joined by themselves, so that those of others stay what they are.
  if (!made.uses_places())
    for (int j = s.axes() - 2; j >= 0; --j)
      if (s.along_[index(j)] == s.along_[index(j + 1)] && s.space_.join_axis(j)) s.along_.erase(s.along_.begin() + j);
  s.list_numbers();
  return s;
}

void launch_space::list_numbers() {
  const extents& n = space_.domain;
  numbers_.assign(n.begin(), n.end());
  numbers_.insert(numbers_.end(), tiles_.begin(), tiles_.end());
  numbers_.push_back(std::countr_zero(static_cast<std::uint64_t>(tiles_[0])));
  if (has_window_) {
    numbers_.insert(numbers_.end(), space_.window_lo.begin(), space_.window_lo.end());
    numbers_.insert(numbers_.end(), space_.window_hi.begin(), space_.window_hi.end());
  }
  for (const array_access& access : space_.accesses) {
    const extents& shape = space_.arrays[index(access.array)];
    numbers_.push_back(access.offset(shape));
    for (int j = 0; j < axes(); ++j) numbers_.push_back(access.stride(j, shape));
  }
}

int launch_space::launch_axes() const {
  int most = 0;
  for (const int axis : along_) most = std::max(most, axis);
  return most + 1;
}

std::int64_t launch_space::length(int launch_axis) const {
  std::int64_t product = 1;
  for (int j = 0; j < axes(); ++j)
    if (along_[index(j)] == launch_axis) product *= space_.domain[j];
  return product;
}

bool launch_space::is_alone(int j) const { return std::count(along_.begin(), along_.end(), along_[index(j)]) == 1; }

bool launch_space::is_aligned(int j) const {
  const bool is_outermost = j == 0 || along_[index(j - 1)] != along_[index(j)];
  const std::int64_t cycle = below(j) * space_.domain[j], own = tile(along_[index(j)]);
  return is_outermost || cycle % own == 0 || own % cycle == 0;
}

std::int64_t launch_space::below(int j) const {
  std::int64_t product = 1;
  for (int k = j + 1; k < axes(); ++k)
    if (along_[index(k)] == along_[index(j)]) product *= space_.domain[k];
  return product;
}

void launch_space::choose_tiles(bool tiny) {
  const std::int64_t most = tiny ? 2 : tile_elements, widest = axes() == 1 ? most : std::min(most, row_elements);
  const std::int64_t columns = std::clamp<std::int64_t>(length(0), 1, widest), rows = length(1);
  tiles_[0] = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(columns)));
  tiles_[1] = std::max(std::clamp<std::int64_t>(most / tiles_[0], 1, std::max<std::int64_t>(rows, 1)),
                       ceil_div(rows, most_blocks));
  tiles_[2] = std::max<std::int64_t>(ceil_div(length(2), most_blocks), 1);
}

extents launch_space::grid() const {
  extents blocks = extents::uniform(launch_axes(), 1);
  for (int axis = 0; axis < blocks.rank(); ++axis) blocks[axis] = ceil_div(length(axis), tile(axis));
  return blocks;
}

}  // namespace tessera::nd
