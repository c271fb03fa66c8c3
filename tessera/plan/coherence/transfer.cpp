// How coherence finds current contents and moves them: the part of it that ranks must agree on. Both sides of a
// message compute the same region from what they know, and canonical regions make its boxes equal.

#include <algorithm>

#include "tessera/base/defects.h"
#include "tessera/plan/coherence/coherence.h"
#include "tessera/plan/coherence/dissemination.h"

namespace tessera::plan {
namespace {

extents no_shift(const extents& shape) { return extents::uniform(shape.rank(), 0); }

std::vector<box> shifted(std::span<const box> boxes, const extents& by) {
  std::vector<box> result;
  for (const box& b : boxes) result.push_back(translate(b, by));
  return result;
}

std::vector<box> canonical(std::vector<box> boxes) { return region(std::move(boxes)).take_boxes(); }

}  // namespace

void coherence::find_sources(array_state& a, const box& missing, int except, sources& found) {
  std::vector<partition::piece>& pieces = pieces_;
  a.owners.visit(missing, [&](const box& b, const ownership& now) {
    if (const auto* value = std::get_if<constant_ptr>(&now.from)) return found.constants[*value].push_back(b);
    const auto* parts = std::get_if<partition_ptr>(&now.from);
    if (parts == nullptr) return found.nothing.push_back(b);
    pieces.clear();
    (*parts)->pieces(b, pieces);
    for (const partition::piece& p : pieces) {
      const location owner = machine_.locate(p.device);
      if (owner.node == node_)
        found.local[owner.index].push_back(p.where);
      else if (now.everywhere || !found.only_what_all_have)
        find_replicas(a, p, except, found);
    }
  });
}

/// Another device of this rank may have been sent what a remote device owns: a copy from there costs no message.
void coherence::find_replicas(array_state& a, const partition::piece& owned, int except, sources& found) {
  region left(owned.where);
  for (int d = 0; d < local_devices_ && !left.empty(); ++d) {
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

void coherence::emit_pull(array_id id, sources&& found, copy_ref target, const extents& shift,
                          std::vector<instruction_id>* emitted) {
  const auto note = [&](instruction_id made) {
    if (emitted != nullptr) emitted->push_back(made);
  };
  for (auto& [value, boxes] : found.constants) {
    const std::vector<box> to = shifted(canonical(std::move(boxes)), shift);
    note(emit(fill_op{target, to, value}, operands_of(target, to, true)));
  }
  for (auto& [device, boxes] : found.local) {
    copy_op copy{{id, local(device)}, target, canonical(std::move(boxes)), shift};
    std::vector<operand> operands = operands_of(copy);
    note(emit(std::move(copy), std::move(operands)));
  }
}

std::vector<box> coherence::missing(const need& n) const {
  std::vector<box> result;
  for (const box& b : n.where->boxes())
    arrays_.at(n.array).visit_copy(n.device, b, [&](const box& piece, bool current, const ownership&) {
      if (!current) result.push_back(piece);
    });
  if (planted("halo_not_pulled") && result.size() > 1) result.pop_back();
  return result;
}

std::vector<box> coherence::pull(const need& n) {
  const std::vector<box> wanted = missing(n);
  if (wanted.empty()) return {};
  array_state& a = at(n.array);
  sources found;
  for (const box& b : wanted) find_sources(a, b, n.device, found);
  std::vector<box> nothing = std::move(found.nothing);
  emit_pull(n.array, std::move(found), {n.array, local(n.device)}, no_shift(a.shape), nullptr);
  return nothing;
}

std::vector<owned_boxes> coherence::owners_of(const array_state& a, std::span<const box> bounds) const {
  std::vector<owned_boxes> owners;
  for (const box& part : bounds)
    a.owners.visit(part, [&](const box& b, const ownership& now) {
      const auto* parts = std::get_if<partition_ptr>(&now.from);
      if (parts == nullptr || now.everywhere) return;
      auto known = std::find_if(owners.begin(), owners.end(), [&](const auto& o) { return o.owners == *parts; });
      if (known == owners.end()) known = owners.insert(owners.end(), {*parts, {}});
      known->where.push_back(b);
    });
  return owners;
}

void coherence::exchange(array_id id, const partition_ptr& readers, std::span<const box> bounds, mail& messages) {
  if (machine_.node_count() == 1) return;
  const array_state& a = at(id);
  const std::vector<owned_boxes> owned = owners_of(a, bounds);
  if (owned.empty()) return;
  if (owned.size() == 1) return exchange(id, crossings_.find(owned.front(), readers, machine_, node_), messages);
  exchange(id, find_crossings(owned, *readers, machine_, node_), messages);
}

void coherence::exchange(array_id id, const crossings& what, mail& messages) {
  array_state& a = at(id);
  for (const crossing& c : what.out) {
    std::vector<box> sent = not_yet_sent(a, c);
    if (sent.empty()) continue;
    const location from = machine_.locate(c.source), to = machine_.locate(c.reader);
    messages.send(to.node, mail::lane(from.index, to.index), from, a.type.size, {id, std::move(sent)});
  }
  std::vector<box> requested;  // what several devices of this rank need is received by the first one
  for (const crossing& c : what.in) {
    std::vector<box> received = not_yet_here(a, c, requested);
    if (received.empty()) continue;
    const location from = machine_.locate(c.source), to = machine_.locate(c.reader);
    messages.receive(from.node, mail::lane(from.index, to.index), to, a.type.size, {id, std::move(received)});
  }
}

/// Notes that the reader's rank has it from now on.
std::vector<box> coherence::not_yet_sent(array_state& a, const crossing& c) {
  const std::int32_t peer = machine_.node_of(c.reader).value;
  std::vector<box> held, sent = c.boxes;
  for (const box& b : c.boxes)
    a.replicas.visit(b, [&](const box& piece, const array_state::ranks& nodes) {
      if (std::binary_search(nodes.begin(), nodes.end(), peer)) held.push_back(piece);
    });
  if (!held.empty()) sent = subtract(region(std::move(sent)), region(std::move(held))).take_boxes();
  for (const box& b : sent) a.replicas.update(b, [&](array_state::ranks& nodes) { nodes.insert_ascending(peer); });
  return sent;
}

/// Another device of this rank may have been sent it before, or be about to be.
std::vector<box> coherence::not_yet_here(const array_state& a, const crossing& c, std::vector<box>& requested) const {
  std::vector<box> held, received = c.boxes;
  for (const box& b : c.boxes) {
    for (int d = 0; d < local_devices_; ++d)
      a.visit_copy(d, b, [&](const box& piece, bool current, const ownership&) {
        if (current) held.push_back(piece);
      });
    for (const box& r : requested)
      if (r.overlaps(b)) held.push_back(r);
  }
  if (!held.empty()) received = subtract(region(std::move(received)), region(std::move(held))).take_boxes();
  requested.insert(requested.end(), received.begin(), received.end());
  return received;
}

std::vector<std::vector<box>> coherence::by_rank(const array_state& a, const region& where) const {
  std::vector<std::vector<box>> result(static_cast<std::size_t>(machine_.node_count()));
  std::vector<partition::piece> pieces;
  for (const box& b : where.boxes())
    a.owners.visit(b, [&](const box& owned, const ownership& now) {
      const auto* parts = std::get_if<partition_ptr>(&now.from);
      if (parts == nullptr || now.everywhere) return;
      pieces.clear();
      (*parts)->pieces(owned, pieces);
      for (const partition::piece& p : pieces)
        result[static_cast<std::size_t>(machine_.node_of(p.device).value)].push_back(p.where);
    });
  return result;
}

/// Every message is one region: sender and receiver come to the same boxes, whoever owned them.
void coherence::spread(std::span<const common_need> what, int device) {
  std::vector<std::vector<std::vector<box>>> owned;  // per array and rank
  for (const common_need& n : what) {
    owned.push_back(by_rank(at(n.array), *n.where));
    const region mine(owned.back()[static_cast<std::size_t>(node_.value)]);
    if (!mine.empty()) pull({n.array, device, &mine});
  }
  for (const dissemination_step& step : dissemination(machine_.node_count(), node_.value)) {
    mail messages;
    for (std::size_t n = 0; n < what.size(); ++n) {
      const std::int64_t element = at(what[n].array).type.size;
      if (auto boxes = boxes_of(owned[n], step.sent); !boxes.empty())
        messages.send(step.to, 0, local(device), element, {what[n].array, std::move(boxes)});
      if (auto boxes = boxes_of(owned[n], step.received); !boxes.empty())
        messages.receive(step.from, 0, local(device), element, {what[n].array, std::move(boxes)});
    }
    messages.post(*this);
  }
  for (std::size_t n = 0; n < what.size(); ++n)
    for (const auto& boxes : owned[n])
      for (const box& b : boxes) at(what[n].array).owners.update(b, [](ownership& now) { now.everywhere = true; });
}

void coherence::own_everywhere(array_id id) {
  array_state& a = at(id);
  const box whole = box::whole(a.shape);
  a.invalidate(region(whole), a.home);
  a.owners.update(whole, [](ownership& now) { now.everywhere = true; });
}

bool coherence::keep(const snapshot_task& what) {
  const region where(what.where);
  const common_need need{what.array, &where};
  if (machine_.node_count() > 1 && !planted("value_not_spread")) spread({&need, 1}, 0);
  array_state& value = at(what.value);
  const box whole = box::whole(value.shape);
  sources found;
  find_sources(at(what.array), what.where, -1, found);
  if (!found.constants.empty()) return value.invalidate(region(whole), found.constants.begin()->first), true;
  if (!found.nothing.empty()) return value.invalidate(region(whole), {}), false;
  own_everywhere(what.value);
  emit_pull(what.array, std::move(found), {what.value, local(0)}, negative(what.where.lo), nullptr);
  return true;
}

}  // namespace tessera::plan
