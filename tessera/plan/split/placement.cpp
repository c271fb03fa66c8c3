#include "tessera/plan/split/placement.h"

#include <algorithm>
#include <map>

#include "tessera/base/index.h"
#include "tessera/plan/split/slabs.h"

namespace tessera::plan {
namespace {

/// The device that owns most; of several that own as much, the one of the first piece if it is among them.
int owner_of_most(const std::vector<partition::piece>& pieces) {
  if (pieces.size() == 1) return pieces.front().device;
  std::map<int, std::int64_t> elements;
  for (const partition::piece& p : pieces) elements[p.device] += p.bounds.volume();
  int best = pieces.front().device;
  for (const auto& [device, count] : elements)
    if (count > elements[best]) best = device;
  return best;
}

std::vector<int> place_at_home(const launch_grid& grid, int follow, int devices) {
  const touch kind = grid.touches(follow, touch::write) ? touch::write : touch::read;
  const partition& home = *grid.shape().slots[index(follow)].home;
  std::vector<int> placed;
  std::vector<box> boxes;
  for (std::int64_t s = 0; s < grid.size(); ++s) {
    boxes.clear();
    grid.touched(follow, kind, grid.position(s), boxes);
    const std::vector<partition::piece> owned = pieces_of_all(home, boxes);
    placed.push_back(owned.empty() ? static_cast<int>(s * devices / grid.size()) : owner_of_most(owned));
  }
  return placed;
}

std::vector<int> place_in_slabs(const launch_grid& grid) {
  const int axis = slab_axis(grid.shape());
  const std::int64_t block = grid.shape().space.granule[axis];
  const std::vector<slab> slabs = ascending_slabs(grid.shape());
  std::vector<int> placed;
  std::vector<partition::piece> owned;
  for (std::int64_t s = 0; s < grid.size(); ++s) {
    const box part = grid.part(s);
    const std::int64_t lo = part.lo[axis] * block, hi = part.hi[axis] * block;
    auto meets = std::partition_point(slabs.begin(), slabs.end(), [&](const slab& x) { return x.hi <= lo; });
    owned.clear();
    for (; meets != slabs.end() && meets->lo < hi; ++meets)
      owned.push_back({box({std::max(lo, meets->lo)}, {std::min(hi, meets->hi)}), meets->device, 0});
    placed.push_back(owner_of_most(owned));
  }
  return placed;
}

}  // namespace

std::vector<int> place(const launch_grid& grid, int follow, int devices) {
  const split_spec& split = grid.shape().split;
  if (split.form == split_spec::kind::on_device) return std::vector<int>(index(grid.size()), split.device);
  if (split.form == split_spec::kind::slabs) return place_in_slabs(grid);
  if (devices == 1) return std::vector<int>(index(grid.size()), 0);
  if (follow >= 0) return place_at_home(grid, follow, devices);
  std::vector<int> placed;
  for (std::int64_t s = 0; s < grid.size(); ++s) placed.push_back(static_cast<int>(s * devices / grid.size()));
  return placed;
}

}  // namespace tessera::plan
