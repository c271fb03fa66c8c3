#include "tessera/nd/layout.h"

#include <algorithm>
#include <vector>

#include "tessera/base/checked.h"
#include "tessera/base/index.h"
#include "tessera/nd/refuse.h"

namespace tessera::nd {
namespace {

/// How many parts each of `extents` is cut into, such that there are `devices` in all: the larger prime factors first,
/// each to the axis whose parts are longest.
std::vector<std::int64_t> mesh_of(std::vector<std::int64_t> lengths, int devices) {
  std::vector<std::int64_t> parts(lengths.size(), 1);
  std::vector<int> factors;
  for (int f = 2, left = devices; left > 1; ++f)
    for (; left % f == 0; left /= f) factors.push_back(f);
  std::sort(factors.rbegin(), factors.rend());
  for (const int f : factors) {
    std::size_t longest = 0;
    for (std::size_t k = 1; k < lengths.size(); ++k)
      if (lengths[k] > lengths[longest]) longest = k;
    parts[longest] *= f;
    lengths[longest] /= f;
  }
  return parts;
}

}  // namespace

layout::layout(std::span<const int> axes, call_site here) : form_(form::axes), count_(static_cast<int>(axes.size())) {
  if (axes.size() > static_cast<std::size_t>(max_rank)) in_call(here, [&] { throw_rank_too_large(axes.size()); });
  std::copy(axes.begin(), axes.end(), axes_.begin());
  if (count_ == 0) form_ = form::automatic;
}

layout::layout(const distribution& given, const extents& shape, int devices)
    : form_(form::listed), listed_(std::make_shared<plan::layout>(given.parts(shape, devices))) {}

layout layout::replicated() {
  layout made;
  made.form_ = form::replicated;
  return made;
}

layout layout::resolved(int rank, call_site here) const {
  layout made = *this;
  if (form_ == form::axes && count_ > rank) refuse(here, "a layout of ", count_, " axes for an array with ", rank);
  for (int k = 0; k < count_; ++k) {
    made.axes_[index(k)] = resolve_axis(axes_[index(k)], rank, here);
    for (int other = 0; other < k; ++other)
      if (made.axes_[index(other)] == made.axes_[index(k)])
        refuse(here, "a layout names axis ", axes_[index(k)], " twice");
  }
  return made;
}

simple_distribution layout::distribution_of(const extents& shape, int devices) const {
  plan::layout made;
  if (form_ == form::listed) return simple_distribution(*listed_);
  if (form_ == form::replicated && shape.rank() > 0) made.form = plan::layout::kind::replicated;
  if (form_ != form::axes || element_count(shape) == 0) return simple_distribution(made);
  std::vector<std::int64_t> lengths;
  for (const int axis : axes()) lengths.push_back(shape[axis]);
  const std::vector<std::int64_t> parts = mesh_of(lengths, devices);
  made.form = plan::layout::kind::tiles;
  made.tile = extents::uniform(shape.rank(), 0);
  for (std::size_t k = 0; k < lengths.size(); ++k)
    made.tile[axes_[k]] = std::max<std::int64_t>(ceil_div(lengths[k], parts[k]), 1);
  return simple_distribution(made);
}

layout layout::through(const index_map& map, const extents& source) const {
  if (form_ == form::replicated) return *this;
  if (form_ == form::listed) return map.is_identity(source) ? *this : layout();
  layout made;
  for (const int axis : axes()) {
    const int to = map.terms[index(axis)].axis;
    const auto known = made.axes();
    if (to < 0 || std::find(known.begin(), known.end(), to) != known.end()) continue;  // a diagonal has two of one
    made.axes_[index(made.count_++)] = to;
  }
  if (made.count_ > 0) made.form_ = form::axes;
  return made;
}

layout layout::balanced(const extents& shape) const {
  if (form_ != form::listed) return *this;
  layout made;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const auto is_cut = [&](const plan::placed_box& part) {
      return part.bounds.hi[axis] - part.bounds.lo[axis] < shape[axis];
    };
    const bool by_tiles = axis < listed_->tile.rank() && listed_->tile[axis] > 0 && listed_->tile[axis] < shape[axis];
    if (by_tiles || std::any_of(listed_->parts.begin(), listed_->parts.end(), is_cut))
      made.axes_[index(made.count_++)] = axis;
  }
  if (made.count_ > 0) made.form_ = form::axes;
  return made;
}

bool layout::operator==(const layout& other) const {
  return form_ == other.form_ && count_ == other.count_ && axes_ == other.axes_ && listed_ == other.listed_;
}

}  // namespace tessera::nd
