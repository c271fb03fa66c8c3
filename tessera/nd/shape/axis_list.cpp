#include "tessera/nd/shape/axis_list.h"

#include <algorithm>

#include "tessera/nd/refuse.h"
#include "tessera/nd/shape/index_map.h"

namespace tessera::nd {

axis_list::axis_list(std::span<const int> axes, call_site here) : is_given_(true), count_(axes.size()) {
  if (axes.size() > axes_.size()) in_call(here, [&] { throw_rank_too_large(axes.size()); });
  std::copy(axes.begin(), axes.end(), axes_.begin());
}

bool axis_list::contains(int axis) const { return std::find(begin(), end(), axis) != end(); }

axis_list axis_list::resolved(int rank, call_site here) const {
  axis_list made;
  made.is_given_ = is_given_;
  for (const int axis : *this) {
    const int place = resolve_axis(axis, rank, here);
    if (made.contains(place)) refuse(here, "axis ", axis, " is named twice");
    made.axes_[made.count_++] = place;
  }
  return made;
}

}  // namespace tessera::nd
