#include "tessera/nd/shape/axis_list.h"

#include <algorithm>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/nd/shape/index_map.h"

namespace tessera::nd {

axis_list::axis_list(std::span<const int> axes) : is_given_(true), count_(axes.size()) {
  if (axes.size() > axes_.size()) throw_rank_too_large(axes.size());
  std::copy(axes.begin(), axes.end(), axes_.begin());
}

bool axis_list::contains(int axis) const { return std::find(begin(), end(), axis) != end(); }

axis_list axis_list::resolved(int rank) const {
  axis_list made;
  made.is_given_ = is_given_;
  for (const int axis : *this) {
    const int place = resolve_axis(axis, rank);
    if (made.contains(place)) throw argument_error(cat("axis ", axis, " is named twice"));
    made.axes_[made.count_++] = place;
  }
  return made;
}

}  // namespace tessera::nd
