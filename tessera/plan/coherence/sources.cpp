#include "tessera/plan/coherence/sources.h"

#include <algorithm>

namespace tessera::plan {
namespace {

/// Another device of this rank may have been sent what a remote device owns: a copy from there costs no message.
void find_replicas(const local_machine& machine, const array_state& a, const partition::piece& owned, int except,
                   sources& found) {
  region left(owned.bounds);
  for (int d = 0; d < machine.device_count() && !left.empty(); ++d) {
    if (d == except) continue;
    std::vector<box> here;
    for (const box& b : left.boxes())
      a.visit_copy(d, b, [&](const box& piece, bool current, const ownership&) {
        if (current) here.push_back(piece);
      });
    if (here.empty()) continue;
    left = subtract(left, region(here));
    auto& from = found.local[d];
    from.insert(from.end(), here.begin(), here.end());
  }
  auto& from = found.remote[owned.device];
  from.insert(from.end(), left.boxes().begin(), left.boxes().end());
}

}  // namespace

void source_search::find(const local_machine& machine, const array_state& a, const box& missing, int except,
                         sources& found) {
  a.owners.visit(missing, [&](const box& b, const ownership& now) {
    if (const auto* value = std::get_if<constant_ptr>(&now.from)) return found.constants[*value].push_back(b);
    const auto* parts = std::get_if<partition_ptr>(&now.from);
    if (parts == nullptr) return found.nothing.push_back(b);
    pieces_.clear();
    (*parts)->pieces(b, pieces_);
    for (const partition::piece& p : pieces_) {
      const location owner = machine.table().locate(p.device);
      if (machine.has(owner))
        found.local[owner.index].push_back(p.bounds);
      else if (now.everywhere || !found.only_what_all_have)
        find_replicas(machine, a, p, except, found);
    }
  });
}

std::vector<owned_boxes> owners_of(const array_state& a, std::span<const box> bounds) {
  std::vector<owned_boxes> owners;
  for (const box& part : bounds)
    a.owners.visit(part, [&](const box& b, const ownership& now) {
      const auto* parts = std::get_if<partition_ptr>(&now.from);
      if (parts == nullptr || now.everywhere) return;
      auto known = std::find_if(owners.begin(), owners.end(), [&](const auto& o) { return o.owners == *parts; });
      if (known == owners.end()) known = owners.insert(owners.end(), {*parts, {}});
      known->boxes.push_back(b);
    });
  return owners;
}

std::vector<std::vector<box>> owned_by_rank(const array_state& a, const region& area, const machine_table& machine) {
  std::vector<std::vector<box>> result(static_cast<std::size_t>(machine.node_count()));
  std::vector<partition::piece> pieces;
  for (const box& b : area.boxes())
    a.owners.visit(b, [&](const box& owned, const ownership& now) {
      const auto* parts = std::get_if<partition_ptr>(&now.from);
      if (parts == nullptr || now.everywhere) return;
      pieces.clear();
      (*parts)->pieces(owned, pieces);
      for (const partition::piece& p : pieces)
        result[static_cast<std::size_t>(machine.node_of(p.device).value)].push_back(p.bounds);
    });
  return result;
}

}  // namespace tessera::plan
