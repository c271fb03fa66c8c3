#include "tessera/plan/coherence/crossings.h"

namespace tessera::plan {
namespace {

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

}  // namespace

crossings find_crossings(const std::vector<owned_boxes>& owned, const partition& readers, const machine_table& machine,
                         node_id node) {
  const device_range here = machine.devices(node);
  found_boxes out, in;
  const auto add = [](found_boxes& to, std::int64_t part, int source, int reader, const box& bounds) {
    end_points& e = to[{part, source}];
    e.reader = reader;
    e.boxes.push_back(bounds);
  };
  for (const owned_boxes& o : owned) {
    for (const auto& [source, mine] : by_device(*o.owners, o.boxes, here))
      for (const partition::piece& read : pieces_of_all(readers, mine.boxes()))
        if (!here.has(read.device)) add(out, read.part, source, read.device, read.bounds);
    std::map<std::pair<int, std::int64_t>, std::vector<box>> wanted;  // by device and superblock
    for (const partition::piece& read : pieces_of_all(readers, o.boxes, here))
      wanted[{read.device, read.part}].push_back(read.bounds);
    for (const auto& [reader, boxes] : wanted)
      for (const partition::piece& theirs : pieces_of_all(*o.owners, boxes))
        if (!here.has(theirs.device)) add(in, reader.second, theirs.device, reader.first, theirs.bounds);
  }
  return {listed(out), listed(in)};
}

const crossings& crossing_cache::find(const owned_boxes& owned, const partition_ptr& readers,
                                      const machine_table& machine, node_id node) {
  const std::pair<const partition*, const partition*> key{owned.owners.get(), readers.get()};
  const auto [begin, end] = entries_.equal_range(key);
  for (auto e = begin; e != end; ++e)
    if (e->second.owned.boxes == owned.boxes) return e->second.found;
  if (entries_.size() >= most) entries_.clear();
  crossings found = find_crossings({owned}, *readers, machine, node);
  return entries_.emplace(key, entry{owned, readers, std::move(found)})->second.found;
}

}  // namespace tessera::plan
