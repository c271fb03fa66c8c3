#include "tessera/plan/crossings.h"

namespace tessera::plan {
namespace {

/// Calls ask(box, out) so that the pieces of all of `where` come together. A partition may have to look at all it has
/// to answer once: of many boxes that lie close together it is asked but once.
template <class Ask>
std::vector<partition::piece> ask_for_all(const std::vector<box>& where, Ask ask) {
  constexpr std::size_t many = 16;
  constexpr std::int64_t sparse = 8;
  std::int64_t volume = 0;
  box bounds;
  for (const box& b : where) {
    bounds = volume == 0 ? b : hull(bounds, b);
    volume += b.volume();
  }
  std::vector<partition::piece> out;
  if (where.size() < many || bounds.volume() / sparse > volume) {
    for (const box& b : where) ask(b, out);
    return out;
  }
  std::vector<partition::piece> found;
  ask(bounds, found);
  for (const partition::piece& p : found)
    for (const box& b : where)
      if (p.where.overlaps(b)) out.push_back({intersect(p.where, b), p.device, p.part});
  return out;
}

struct end_points {
  int reader = 0;
  std::vector<box> boxes;
};
using found_boxes = std::map<std::pair<std::int64_t, int>, end_points>;  // by superblock and source

std::vector<crossing> listed(found_boxes& found) {
  std::vector<crossing> result;
  for (auto& [key, f] : found)
    result.push_back({key.first, key.second, f.reader, region(std::move(f.boxes)).take_boxes()});
  return result;
}

/// The pieces of `from` on the devices first <= d < last, by device and superblock.
std::map<std::pair<int, std::int64_t>, std::vector<box>> pieces_on(const partition& from, const std::vector<box>& where,
                                                                   int first, int last) {
  std::map<std::pair<int, std::int64_t>, std::vector<box>> result;
  for (const partition::piece& p :
       ask_for_all(where, [&](const box&b, auto&out) { from.pieces_of(first, last, b, out); }))
    result[{p.device, p.part}].push_back(p.where);
  return result;
}

}  // namespace

crossings find_crossings(const std::vector<owned_boxes>& owned, const partition& readers, const machine_table& machine,
                         node_id node) {
  const int first = machine.first_device(node), last = first + machine.devices_of(node);
  const auto is_here = [&](int device) { return first <= device && device < last; };
  found_boxes out, in;
  for (const owned_boxes& o : owned) {
    std::map<int, std::vector<box>> mine;
    for (auto& [key, boxes] : pieces_on(*o.owners, o.where, first, last))
      mine[key.first].insert(mine[key.first].end(), boxes.begin(), boxes.end());
    for (const auto& [source, boxes] : mine)
      for (const partition::piece& w : ask_for_all(boxes, [&](const box&b, auto&to) { readers.pieces(b, to); })) {
        if (is_here(w.device)) continue;
        end_points& e = out[{w.part, source}];
        e.reader = w.device;
        e.boxes.push_back(w.where);
      }
    for (const auto& [key, boxes] : pieces_on(readers, o.where, first, last))
      for (const partition::piece& w : ask_for_all(boxes, [&](const box&b, auto&to) { o.owners->pieces(b, to); })) {
        if (is_here(w.device)) continue;
        end_points& e = in[{key.second, w.device}];
        e.reader = key.first;
        e.boxes.push_back(w.where);
      }
  }
  return {listed(out), listed(in)};
}

const crossings& crossing_cache::find(const owned_boxes& owned, const partition_ptr& readers,
                                      const machine_table& machine, node_id node) {
  const std::pair<const partition*, const partition*> key{owned.owners.get(), readers.get()};
  const auto [begin, end] = entries_.equal_range(key);
  for (auto e = begin; e != end; ++e)
    if (e->second.owned.where == owned.where) return e->second.found;
  if (entries_.size() >= most) entries_.clear();
  crossings found = find_crossings({owned}, *readers, machine, node);
  return entries_.emplace(key, entry{owned, readers, std::move(found)})->second.found;
}

}  // namespace tessera::plan
