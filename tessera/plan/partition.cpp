#include "tessera/plan/partition.h"

#include <algorithm>

#include "tessera/base/checked.h"
#include "tessera/base/defects.h"
#include "tessera/base/index.h"

namespace tessera::plan {

void partition::pieces_of(int first, int last, const box& query, std::vector<piece>& out) const {
  std::vector<piece> all;
  pieces(query, all);
  std::copy_if(all.begin(), all.end(), std::back_inserter(out),
               [&](const piece& p) { return first <= p.device && p.device < last + planted("part_claimed_twice"); });
}

std::vector<std::int64_t> partition::cuts(int) const { return {}; }

tiling::tiling(const extents& shape, const extents& tile, int devices, bool cyclic, std::vector<int> numbers)
    : shape_(shape), tile_(tile), count_(shape), devices_(devices), cyclic_(cyclic), numbers_(std::move(numbers)) {
  for (int k = 0; k < shape.rank(); ++k) {
    count_[k] = ceil_div(shape[k], tile[k]);
    tiles_ *= count_[k];
  }
}

int tiling::device_of(std::int64_t tile) const {
  if (cyclic_) return static_cast<int>(tile % devices_);
  const auto wide = static_cast<__int128>(tile) * devices_;
  return static_cast<int>(wide / tiles_);
}

void tiling::pieces(const box& query, std::vector<piece>& out) const {
  const box inside = intersect(query, box::whole(shape_));
  if (inside.empty()) return;
  const int rank = shape_.rank();
  box tiles = inside;
  for (int k = 0; k < rank; ++k) {
    tiles.lo[k] = inside.lo[k] / tile_[k];
    tiles.hi[k] = ceil_div(inside.hi[k], tile_[k]);
  }
  extents at = tiles.lo;
  while (true) {
    piece p{inside, 0, 0};
    for (int k = 0; k < rank; ++k) {
      p.part = p.part * count_[k] + at[k];
      p.bounds.lo[k] = std::max(inside.lo[k], at[k] * tile_[k]);
      p.bounds.hi[k] = std::min(inside.hi[k], (at[k] + 1) * tile_[k]);
    }
    p.device = device_of(p.part);
    if (!numbers_.empty()) p.device = numbers_[index(p.device)];
    out.push_back(p);
    int k = rank - 1;
    while (k >= 0 && ++at[k] == tiles.hi[k]) at[k] = tiles.lo[k], --k;
    if (k < 0) return;
  }
}

std::vector<std::int64_t> tiling::cuts(int axis) const {
  std::vector<std::int64_t> result;
  const bool only_axis = count_[axis] == tiles_;  // then a tile's ordinal is its place on this axis
  for (std::int64_t t = 1; t < count_[axis]; ++t)
    if (!only_axis || device_of(t) != device_of(t - 1)) result.push_back(t * tile_[axis]);
  return result;
}

listed_parts::listed_parts(const extents& shape, const std::vector<piece>& parts) : map_(box::whole(shape), owner{}) {
  for (const piece& p : parts) map_.assign(p.bounds, {p.device, p.part});
}

void listed_parts::pieces(const box& query, std::vector<piece>& out) const {
  map_.visit(query, [&](const box& bounds, const owner& o) { out.push_back({bounds, o.device, o.part}); });
}

std::vector<std::int64_t> listed_parts::cuts(int axis) const {
  std::map<std::int64_t, std::vector<std::pair<int, int>>> changes;  // at an index: device, pieces more or less
  map_.visit(map_.domain(), [&](const box& bounds, const owner& o) {
    changes[bounds.lo[axis]].emplace_back(o.device, 1);
    changes[bounds.hi[axis]].emplace_back(o.device, -1);
  });
  constexpr int several = -1;
  std::vector<std::int64_t> result;
  std::map<int, std::int64_t> owners;  // pieces per device from the last index on
  int before = several;
  for (const auto& [index, list] : changes) {
    for (const auto& [device, more] : list)
      if ((owners[device] += more) == 0) owners.erase(device);
    const int here = owners.size() == 1 ? owners.begin()->first : several;
    if (before != several && here != several && here != before) result.push_back(index);
    before = here;
  }
  return result;
}

std::vector<partition::piece> pieces_of_all(const partition& of, std::span<const box> boxes, device_range on) {
  constexpr std::size_t many = 16;
  constexpr std::int64_t sparse = 8;
  const auto ask = [&](const box& b, std::vector<partition::piece>& out) {
    on.all() ? of.pieces(b, out) : of.pieces_of(on.first, on.last, b, out);
  };
  std::int64_t volume = 0;
  box bounds;
  for (const box& b : boxes) {
    bounds = volume == 0 ? b : hull(bounds, b);
    volume += b.volume();
  }
  std::vector<partition::piece> out;
  if (boxes.size() < many || bounds.volume() / sparse > volume) {
    for (const box& b : boxes) ask(b, out);
    return out;
  }
  std::vector<partition::piece> found;
  ask(bounds, found);
  for (const partition::piece& p : found)
    for (const box& b : boxes)
      if (p.bounds.overlaps(b)) out.push_back({intersect(p.bounds, b), p.device, p.part});
  return out;
}

std::map<int, region> by_device(const partition& of, std::span<const box> queried, device_range on) {
  std::map<int, std::vector<box>> boxes;
  for (const partition::piece& p : pieces_of_all(of, queried, on)) boxes[p.device].push_back(p.bounds);
  std::map<int, region> result;
  for (auto& [device, list] : boxes) result.emplace(device, region(std::move(list)));
  return result;
}

std::vector<box> own_boxes(const partition& home, device_range on, const box& bounds) {
  std::vector<box> boxes;
  for (const partition::piece& p : pieces_of_all(home, {&bounds, 1}, on)) boxes.push_back(p.bounds);
  return region(std::move(boxes)).take_boxes();
}

}  // namespace tessera::plan
