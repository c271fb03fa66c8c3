// How coherence brings contents to host memory, which it keeps no record of: instructions that use it are named.

#include <algorithm>

#include "tessera/plan/coherence.h"
#include "tessera/plan/dissemination.h"

namespace tessera::plan {
namespace {

extents negative(extents e) {
  for (int k = 0; k < e.rank(); ++k) e[k] = -e[k];
  return e;
}

}  // namespace

/// What this rank owns is copied; the rest comes in messages that the host memories of all ranks exchange.
std::vector<instruction_id> coherence::gather_to_host(array_id id, const box& where, array_id buffer,
                                                      std::vector<box>& nothing) {
  array_state& a = at(id);
  const extents shift = negative(where.lo);
  sources found;
  found.only_what_all_have = true;
  find_sources(a, where, local_devices_, found);
  nothing = std::move(found.nothing);
  std::vector<instruction_id> done;
  emit_pull(id, std::move(found), {buffer, host()}, shift, &done);
  if (machine_.node_count() == 1) return done;

  std::vector<std::vector<box>> owned = by_rank(a, region(where));
  for (auto& boxes : owned)
    for (box& b : boxes) b = translate(b, shift);
  for (const dissemination_step& step : dissemination(machine_.node_count(), node_.value)) {
    mail messages;
    if (auto boxes = boxes_of(owned, step.sent); !boxes.empty())
      messages.send(step.to, 0, host(), a.type.size, {buffer, std::move(boxes)});
    if (auto boxes = boxes_of(owned, step.received); !boxes.empty())
      messages.receive(step.from, 0, host(), a.type.size, {buffer, std::move(boxes)});
    const std::vector<instruction_id> emitted = messages.post(*this, done);
    done.insert(done.end(), emitted.begin(), emitted.end());
  }
  return done;
}

/// Owners send what that rank does not hold.
std::vector<instruction_id> coherence::gather_on(node_id rank, array_id id, const box& where, array_id buffer,
                                                 std::vector<box>& nothing) {
  array_state& a = at(id);
  const extents shift = negative(where.lo);
  mail messages;
  std::vector<instruction_id> done;
  if (rank != node_) {
    const int first = machine_.first_device(node_);
    std::map<int, std::vector<box>> sent;
    for (const partition::piece& owned : own_pieces(a, {&where, 1}))
      a.replicas.visit(owned.where, [&](const box& piece, const std::vector<std::int32_t>& nodes) {
        if (!std::binary_search(nodes.begin(), nodes.end(), rank.value)) sent[owned.device - first].push_back(piece);
      });
    for (auto& [device, boxes] : sent)
      messages.send(rank, device, local(device), a.type.size, {id, region(std::move(boxes)).take_boxes()});
    messages.post(*this);
    return done;
  }
  sources found;
  find_sources(a, where, local_devices_, found);
  nothing = std::move(found.nothing);
  for (auto& [device, boxes] : found.remote) {
    const location owner = machine_.locate(device);
    std::vector<box> parts = region(std::move(boxes)).take_boxes();
    for (box& b : parts) b = translate(b, shift);
    if (!parts.empty()) messages.receive(owner.node, owner.index, host(), a.type.size, {buffer, std::move(parts)});
  }
  done = messages.post(*this);
  emit_pull(id, std::move(found), {buffer, host()}, shift, &done);
  return done;
}

}  // namespace tessera::plan
