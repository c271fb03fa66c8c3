#include "tessera/plan/split/home_bytes.h"

#include <algorithm>

#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"

namespace tessera::plan {

home_bytes::home_bytes(const launch_grid& grid) : grid_(grid) {
  const int like = followed_slot(grid.shape());
  if (like >= 0) {
    const bool written = grid.touches(like, touch::write);
    if (!written) verb_ = "read";
    counted_.push_back({like, written ? touch::write : touch::read});
    return;
  }
  count_all(touch::write, false);
  if (!counted_.empty()) return;
  verb_ = "read";
  count_all(touch::read, true);
}

void home_bytes::count_all(touch kind, bool only_different) {
  for (int slot = 0; slot < static_cast<int>(grid_.shape().slots.size()); ++slot)
    if (grid_.touches(slot, kind) && grid_.shape().slots[index(slot)].home && !(only_different && all_read_alike(slot)))
      counted_.push_back({slot, kind});
}

bool home_bytes::all_read_alike(int slot) const {
  std::vector<box> first, last;
  grid_.touched(slot, touch::read, grid_.position(0), first);
  grid_.touched(slot, touch::read, grid_.position(grid_.size() - 1), last);
  return grid_.size() > 1 && first == last;
}

bool home_bytes::names_devices() const {
  return std::any_of(counted_.begin(), counted_.end(),
                     [&](const counted& c) { return grid_.shape().slots[index(c.slot)].home->names_devices(); });
}

const std::vector<home_share>& home_bytes::of(std::int64_t superblock) {
  shares_.clear();
  for (const counted& c : counted_) {
    const array_slot& slot = grid_.shape().slots[index(c.slot)];
    boxes_.clear();
    grid_.touched(c.slot, c.kind, grid_.position(superblock), boxes_);
    for (const partition::piece& p : pieces_of_all(*slot.home, boxes_))
      add(p.device, static_cast<byte_total>(p.bounds.volume()) * slot.type.size);
  }
  return shares_;
}

void home_bytes::add(int device, byte_total bytes) {
  if (shares_.empty() || shares_.back().device < device) {  // devices ascend along most arrays
    shares_.push_back({device, bytes});
    return;
  }
  const auto place =
      std::partition_point(shares_.begin(), shares_.end(), [&](const home_share& s) { return s.device < device; });
  if (place->device == device)
    place->bytes += bytes;
  else
    shares_.insert(place, {device, bytes});
}

int followed_slot(const launch_shape& shape) {
  if (shape.split.form != split_spec::kind::like) return -1;
  for (const slot_use& use : shape.uses)
    if (use.parameter == shape.split.parameter) return use.slot;
  throw argument_error(cat("launch of '", shape.name, "': the split follows a parameter that is no array"));
}

}  // namespace tessera::plan
