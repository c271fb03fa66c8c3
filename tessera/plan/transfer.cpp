// How coherence finds current contents and moves them: the part of it that ranks must agree on. Both sides of a
// message compute the same region from what they know, and canonical regions make its boxes equal.

#include <algorithm>
#include <map>

#include "tessera/base/defects.h"
#include "tessera/plan/coherence.h"

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

/// What to do to get some boxes: ordered by where they come from, so that both ranks number messages alike.
struct coherence::sources {
  std::map<constant_ptr, std::vector<box>> constants;
  std::map<int, std::vector<box>> local;   // by local device
  std::map<int, std::vector<box>> remote;  // by device through all ranks
  std::vector<box> nothing;
};

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
      else
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
  for (auto& [device, boxes] : found.remote) {
    const std::vector<box> from = canonical(std::move(boxes));
    if (from.empty()) continue;
    const node_id peer = machine_.node_of(device);
    note(emit(receive_op{peer, next_receive(peer), target, from, shift},
              operands_of(target, shifted(from, shift), true)));
  }
}

std::vector<box> coherence::pull(array_id id, int device, const region& need) {
  array_state& a = at(id);
  std::vector<box> missing;
  for (const box& b : need.boxes())
    a.visit_copy(device, b, [&](const box& piece, bool current, const ownership&) {
      if (!current) missing.push_back(piece);
    });
  if (missing.empty()) return {};
  if (planted("halo_not_pulled") && missing.size() > 1) missing.pop_back();
  sources found;
  for (const box& b : missing) find_sources(a, b, device, found);
  std::vector<box> nothing = std::move(found.nothing);
  emit_pull(id, std::move(found), {id, local(device)}, no_shift(a.shape), nullptr);
  return nothing;
}

/// What this rank's devices own of `bounds`, which do not overlap.
std::vector<partition::piece> coherence::own_pieces(const array_state& a, std::span<const box> bounds) const {
  std::vector<std::pair<partition_ptr, std::vector<box>>> owners;
  for (const box& part : bounds)
    a.owners.visit(part, [&](const box& b, const ownership& now) {
      const auto* parts = std::get_if<partition_ptr>(&now.from);
      if (parts == nullptr) return;
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

void coherence::push(array_id id, const partition& readers, std::span<const box> bounds) {
  if (machine_.node_count() == 1) return;
  array_state& a = at(id);
  const int first = machine_.first_device(node_);
  const std::vector<partition::piece> mine = own_pieces(a, bounds);
  std::vector<partition::piece> wanted;
  std::map<int, std::vector<box>> by_source;
  for (const partition::piece& owned : mine) by_source[owned.device - first].push_back(owned.where);

  struct message {
    std::vector<box> boxes;
    node_id peer;
  };
  std::map<std::pair<std::int64_t, int>, message> messages;  // by reading superblock, then by source device
  for (const auto& [source, boxes] : by_source) {
    wanted.clear();
    ask_for_all(boxes, wanted, [&](const box& b, std::vector<partition::piece>& out) { readers.pieces(b, out); });
    for (const partition::piece& w : wanted) {
      const node_id peer = machine_.node_of(w.device);
      if (peer == node_) continue;
      message& m = messages[{w.part, source}];
      m.peer = peer;
      m.boxes.push_back(w.where);
    }
  }
  for (auto& [key, m] : messages) {
    const node_id peer = m.peer;
    std::vector<box> held;
    for (const box& b : m.boxes)
      a.replicas.visit(b, [&](const box& piece, const std::vector<std::int32_t>& nodes) {
        if (std::binary_search(nodes.begin(), nodes.end(), peer.value)) held.push_back(piece);
      });
    const region missing = subtract(region(std::move(m.boxes)), region(std::move(held)));
    if (missing.empty()) continue;
    for (const box& b : missing.boxes())
      a.replicas.update(b, [&](std::vector<std::int32_t>& nodes) {
        nodes.insert(std::lower_bound(nodes.begin(), nodes.end(), peer.value), peer.value);
      });
    const copy_ref source{id, local(key.second)};
    const std::vector<box> boxes(missing.boxes().begin(), missing.boxes().end());
    emit(send_op{peer, next_send(peer), source, boxes}, operands_of(source, boxes, false));
  }
}

std::vector<instruction_id> coherence::gather_to_host(array_id id, const box& where, array_id buffer,
                                                      std::vector<box>& nothing) {
  array_state& a = at(id);
  std::vector<instruction_id> emitted;
  const int first = machine_.first_device(node_);
  std::vector<partition::piece> mine;
  if (machine_.node_count() > 1) mine = own_pieces(a, {&where, 1});
  std::map<std::pair<std::int32_t, int>, std::vector<box>> messages;  // by rank, then by source device
  for (const partition::piece& owned : mine)
    a.replicas.visit(owned.where, [&](const box& piece, const std::vector<std::int32_t>& nodes) {
      for (std::int32_t peer = 0; peer < machine_.node_count(); ++peer)
        if (peer != node_.value && !std::binary_search(nodes.begin(), nodes.end(), peer))
          messages[{peer, owned.device - first}].push_back(piece);
    });
  for (auto& [key, boxes] : messages) {
    const region canonical(std::move(boxes));
    const copy_ref source{id, local(key.second)};
    const std::vector<box> parts(canonical.boxes().begin(), canonical.boxes().end());
    const node_id peer(key.first);
    emit(send_op{peer, next_send(peer), source, parts}, operands_of(source, parts, false));
  }

  sources found;
  find_sources(a, where, local_devices_, found);
  extents shift = where.lo;
  for (int k = 0; k < shift.rank(); ++k) shift[k] = -shift[k];
  nothing = std::move(found.nothing);
  emit_pull(id, std::move(found), {buffer, host()}, shift, &emitted);
  return emitted;
}

}  // namespace tessera::plan
