// How coherence exchanges contents with host memory, which it keeps no record of: instructions that use it are named.

#include <algorithm>

#include "tessera/plan/coherence/coherence.h"
#include "tessera/plan/coherence/dissemination.h"

namespace tessera::plan {
namespace {

/// In the coordinates of a buffer that holds `outer`.
std::vector<box> within(const box& outer, const region& r) {
  std::vector<box> boxes;
  for (const box& b : r.boxes()) boxes.push_back(translate(b, negative(outer.lo)));
  return boxes;
}

}  // namespace

std::vector<box> own_boxes(const partition& home, device_range on, const box& where) {
  std::vector<box> boxes;
  for (const partition::piece& p : pieces_of_all(home, {&where, 1}, on)) boxes.push_back(p.where);
  return region(std::move(boxes)).take_boxes();
}

std::vector<box> coherence::own_boxes_of(const host_exchange& what) {
  return own_boxes(*at(what.array).home, machine_.devices(node_), what.where);
}

std::map<int, region> coherence::bring_home(array_id id, const region& where, std::vector<box>* nothing) {
  std::map<int, region> parts = by_device(*at(id).home, where.boxes());
  if (machine_.node_count() > 1) {
    std::vector<partition::piece> readers;
    for (const auto& [device, part] : parts)
      for (const box& b : part.boxes()) readers.push_back({b, device, device});
    mail messages;
    const std::vector<owned_boxes> owned = owners_of(at(id), where.boxes());
    exchange(id, find_crossings(owned, listed_parts(at(id).shape, readers), machine_, node_), messages);
    messages.post(*this);
  }
  for (const auto& [device, part] : parts) {
    const location home = machine_.locate(device);
    if (home.node != node_) continue;
    const std::vector<box> empty = pull({id, home.index, &part});
    if (nothing != nullptr) nothing->insert(nothing->end(), empty.begin(), empty.end());
  }
  return parts;
}

void coherence::copy_own(const host_exchange& what, array_id buffer, const box& outer, bool out,
                         std::vector<instruction_id>& done) {
  const copy_ref outside{buffer, host()};
  for (const auto& [device, part] : by_device(*at(what.array).home, {&outer, 1}, machine_.devices(node_))) {
    const copy_ref inside{what.array, machine_.locate(device)};
    copy_op copy = out ? copy_op{inside, outside, list(part), negative(outer.lo)}
                       : copy_op{outside, inside, within(outer, part), outer.lo};
    std::vector<operand> operands = operands_of(copy);
    done.push_back(emit(std::move(copy), std::move(operands)));
  }
}

std::vector<instruction_id> coherence::scatter_from_host(const host_exchange& what) {
  array_state& a = at(what.array);
  a.invalidate(region(what.where), a.home);
  std::vector<instruction_id> done;
  if (what.who.how == host_ranks::kind::own) {
    const std::vector<box> own = own_boxes_of(what);
    for (std::size_t k = 0; k < own.size(); ++k) copy_own(what, what.buffers[k], own[k], false, done);
    return done;
  }
  const bool one = what.who.how == host_ranks::kind::one, here = !one || what.who.rank == node_;
  mail messages;
  for (const auto& [device, part] : one ? by_device(*a.home, {&what.where, 1}) : std::map<int, region>{}) {
    const location home = machine_.locate(device);
    if (here && home.node != node_)
      messages.send(home.node, home.index, host(), a.type.size, {what.buffers[0], within(what.where, part)});
    if (!here && home.node == node_)
      messages.receive(what.who.rank, home.index, home, a.type.size, {what.array, list(part)});
  }
  done = messages.post(*this);
  if (here) copy_own(what, what.buffers[0], what.where, false, done);
  return done;
}

std::vector<instruction_id> coherence::gather_to_host(const host_exchange& what, std::vector<box>& nothing) {
  switch (what.who.how) {
    case host_ranks::kind::one:
      return gather_on_one(what, nothing);
    case host_ranks::kind::own:
      return gather_own(what, nothing);
    default:
      return gather_everywhere(what, nothing);
  }
}

/// What this rank owns is copied; the rest comes in messages that the host memories of all ranks exchange.
std::vector<instruction_id> coherence::gather_everywhere(const host_exchange& what, std::vector<box>& nothing) {
  array_state& a = at(what.array);
  const array_id buffer = what.buffers[0];
  sources found;
  found.only_what_all_have = true;
  find_sources(a, what.where, local_devices_, found);
  nothing = std::move(found.nothing);
  std::vector<instruction_id> done;
  emit_pull(what.array, std::move(found), {buffer, host()}, negative(what.where.lo), &done);
  if (machine_.node_count() == 1 || what.who.how == host_ranks::kind::here) return done;

  std::vector<std::vector<box>> owned = by_rank(a, region(what.where));
  for (auto& boxes : owned) boxes = within(what.where, region(std::move(boxes)));
  for (const dissemination_step& step : dissemination(machine_.node_count(), node_.value)) {
    mail messages;
    if (auto boxes = boxes_of(owned, step.sent); !boxes.empty())
      messages.send(step.to, 0, host(), a.type.size, {buffer, std::move(boxes)});
    if (auto boxes = boxes_of(owned, step.received); !boxes.empty())
      messages.receive(step.from, 0, host(), a.type.size, {buffer, std::move(boxes)});
    const std::vector<instruction_id> posted = messages.post(*this, done);
    done.insert(done.end(), posted.begin(), posted.end());
  }
  return done;
}

/// Owners send what that rank does not hold.
std::vector<instruction_id> coherence::gather_on_one(const host_exchange& what, std::vector<box>& nothing) {
  array_state& a = at(what.array);
  const node_id rank = what.who.rank;
  mail messages;
  if (rank != node_) {
    const int first = machine_.first_device(node_);
    std::map<int, std::vector<box>> sent;
    for (const owned_boxes& owned : owners_of(a, {&what.where, 1}))
      for (const auto& [device, part] : by_device(*owned.owners, owned.where, machine_.devices(node_)))
        for (const box& b : part.boxes())
          a.replicas.visit(b, [&, from = device - first](const box& piece, const array_state::ranks& nodes) {
            if (!std::binary_search(nodes.begin(), nodes.end(), rank.value)) sent[from].push_back(piece);
          });
    for (auto& [device, boxes] : sent)
      messages.send(rank, device, local(device), a.type.size, {what.array, region(std::move(boxes)).take_boxes()});
    return messages.post(*this);
  }
  sources found;
  find_sources(a, what.where, local_devices_, found);
  nothing = std::move(found.nothing);
  for (auto& [device, boxes] : found.remote) {
    const location owner = machine_.locate(device);
    std::vector<box> parts = within(what.where, region(std::move(boxes)));
    if (!parts.empty())
      messages.receive(owner.node, owner.index, host(), a.type.size, {what.buffers[0], std::move(parts)});
  }
  std::vector<instruction_id> done = messages.post(*this);
  emit_pull(what.array, std::move(found), {what.buffers[0], host()}, negative(what.where.lo), &done);
  return done;
}

/// Contents go home first, wherever they are.
std::vector<instruction_id> coherence::gather_own(const host_exchange& what, std::vector<box>& nothing) {
  bring_home(what.array, region(what.where), &nothing);
  std::vector<instruction_id> done;
  const std::vector<box> own = own_boxes_of(what);
  for (std::size_t k = 0; k < own.size(); ++k) copy_own(what, what.buffers[k], own[k], true, done);
  return done;
}

}  // namespace tessera::plan
