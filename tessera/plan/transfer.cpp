// How coherence finds current contents and moves them: the part of it that ranks must agree on. Both sides of a
// message compute the same region from what they know, and canonical regions make its boxes equal.

#include <algorithm>
#include <map>

#include "tessera/base/defects.h"
#include "tessera/plan/coherence.h"
#include "tessera/plan/dissemination.h"

namespace tessera::plan {
namespace {

extents no_shift(const extents& shape) { return extents::uniform(shape.rank(), 0); }

std::vector<box> shifted(std::span<const box> boxes, const extents& by) {
  std::vector<box> result;
  for (const box& b : boxes) result.push_back(translate(b, by));
  return result;
}

/// Calls ask(box, out) so that the pieces of all of `where` come together. A partition may have to look at all it has
/// to answer once: of many boxes that lie close together it is asked but once.
template <class Ask>
void ask_for_all(const std::vector<box>& where, std::vector<partition::piece>& out, Ask ask) {
  constexpr std::size_t many = 16;
  constexpr std::int64_t sparse = 8;
  std::int64_t volume = 0;
  box bounds;
  for (const box& b : where) {
    bounds = volume == 0 ? b : hull(bounds, b);
    volume += b.volume();
  }
  if (where.size() < many || bounds.volume() / sparse > volume) {
    for (const box& b : where) ask(b, out);
    return;
  }
  std::vector<partition::piece> found;
  ask(bounds, found);
  for (const partition::piece& p : found)
    for (const box& b : where)
      if (p.where.overlaps(b)) out.push_back({intersect(p.where, b), p.device, p.part});
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

/// What several devices of this rank need is received by the first one; `pull` copies it to the others.
void coherence::request(std::span<const need> needs, mail& messages) {
  if (machine_.node_count() == 1) return;
  std::map<array_id, region> requested;
  for (const need& n : needs) {
    const std::vector<box> wanted = missing(n);
    if (wanted.empty()) continue;
    array_state& a = at(n.array);
    sources found;
    for (const box& b : wanted) find_sources(a, b, n.device, found);
    for (auto& [device, boxes] : found.remote) {
      region& known = requested[n.array];
      region fresh(std::move(boxes));
      if (!known.empty()) fresh = subtract(fresh, known);
      if (fresh.empty()) continue;
      known = unite(known, fresh);
      const location owner = machine_.locate(device);
      messages.receive(owner.node, mail::lane(owner.index, n.device), local(n.device), a.type.size,
                       {n.array, std::move(fresh).take_boxes()});
    }
  }
}

void coherence::fetch(array_id id, const partition& readers, std::span<const box> bounds, std::span<const need> needs,
                      std::vector<box>* nothing) {
  mail messages;
  push(id, readers, bounds, messages);
  request(needs, messages);
  messages.post(*this);
  for (const need& n : needs) {
    const std::vector<box> empty = pull(n);
    if (nothing != nullptr) nothing->insert(nothing->end(), empty.begin(), empty.end());
  }
}

/// What this rank's devices own of `bounds`, which do not overlap, but for what every rank has.
std::vector<partition::piece> coherence::own_pieces(const array_state& a, std::span<const box> bounds) const {
  std::vector<std::pair<partition_ptr, std::vector<box>>> owners;
  for (const box& part : bounds)
    a.owners.visit(part, [&](const box& b, const ownership& now) {
      const auto* parts = std::get_if<partition_ptr>(&now.from);
      if (parts == nullptr || now.everywhere) return;
      auto known = std::find_if(owners.begin(), owners.end(), [&](const auto& o) { return o.first == *parts; });
      if (known == owners.end()) known = owners.insert(owners.end(), {*parts, {}});
      known->second.push_back(b);
    });
  const int first = machine_.first_device(node_);
  std::vector<partition::piece> mine;
  for (const auto& owner : owners)
    ask_for_all(owner.second, mine, [&](const box& b, std::vector<partition::piece>& out) {
      owner.first->pieces_of(first, first + local_devices_, b, out);
    });
  return mine;
}

void coherence::push(array_id id, const partition& readers, std::span<const box> bounds, mail& messages) {
  if (machine_.node_count() == 1) return;
  array_state& a = at(id);
  const int first = machine_.first_device(node_);
  const std::vector<partition::piece> mine = own_pieces(a, bounds);
  std::vector<partition::piece> wanted;
  std::map<int, std::vector<box>> by_source;
  for (const partition::piece& owned : mine) by_source[owned.device - first].push_back(owned.where);

  struct letter {
    std::vector<box> boxes;
    location reader;
  };
  std::map<std::pair<std::int64_t, int>, letter> letters;  // by reading superblock, then by source device
  for (const auto& [source, boxes] : by_source) {
    wanted.clear();
    ask_for_all(boxes, wanted, [&](const box& b, std::vector<partition::piece>& out) { readers.pieces(b, out); });
    for (const partition::piece& w : wanted) {
      const location reader = machine_.locate(w.device);
      if (reader.node == node_) continue;
      letter& l = letters[{w.part, source}];
      l.reader = reader;
      l.boxes.push_back(w.where);
    }
  }
  for (auto& [key, l] : letters) {
    const node_id peer = l.reader.node;
    std::vector<box> held;
    for (const box& b : l.boxes)
      a.replicas.visit(b, [&](const box& piece, const std::vector<std::int32_t>& nodes) {
        if (std::binary_search(nodes.begin(), nodes.end(), peer.value)) held.push_back(piece);
      });
    region missing = subtract(region(std::move(l.boxes)), region(std::move(held)));
    if (missing.empty()) continue;
    for (const box& b : missing.boxes())
      a.replicas.update(b, [&](std::vector<std::int32_t>& nodes) {
        nodes.insert(std::lower_bound(nodes.begin(), nodes.end(), peer.value), peer.value);
      });
    messages.send(peer, mail::lane(key.second, l.reader.index), local(key.second), a.type.size,
                  {id, std::move(missing).take_boxes()});
  }
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

}  // namespace tessera::plan
