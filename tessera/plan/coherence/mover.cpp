#include "tessera/plan/coherence/mover.h"

#include <algorithm>

#include "tessera/base/defects.h"
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

void mover::fetch(array_id id, sources&& found, copy_ref target, const extents& shift,
                  std::vector<instruction_id>* emitted) {
  const auto note = [&](instruction_id made) {
    if (emitted != nullptr) emitted->push_back(made);
  };
  for (auto& [value, boxes] : found.constants) {
    const std::vector<box> to = shifted(canonical(std::move(boxes)), shift);
    note(writer_.emit(fill_op{target, to, value}, operands_of(target, to, true)));
  }
  for (auto& [device, boxes] : found.local) {
    copy_op copy{{id, machine().device(device)}, target, canonical(std::move(boxes)), shift};
    std::vector<operand> operands = operands_of(copy);
    note(writer_.emit(std::move(copy), std::move(operands)));
  }
}

std::vector<box> mover::pull(const need& wanted) {
  const array_state& a = writer_.array(wanted.array);
  const std::vector<box> missing = a.missing(wanted.device, *wanted.area);
  if (missing.empty()) return {};
  sources found;
  for (const box& b : missing) search_.find(machine(), a, b, wanted.device, found);
  std::vector<box> nothing = std::move(found.nothing);
  fetch(wanted.array, std::move(found), {wanted.array, machine().device(wanted.device)}, no_shift(a.shape));
  return nothing;
}

void mover::exchange(array_id id, const partition_ptr& readers, std::span<const box> bounds, message_batch& messages) {
  if (machine().is_alone()) return;
  const std::vector<owned_boxes> owned = owners_of(writer_.array(id), bounds);
  if (owned.empty()) return;
  const machine_table& table = machine().table();
  if (owned.size() == 1)
    return exchange(id, crossings_.find(owned.front(), readers, table, machine().node()), messages);
  exchange(id, find_crossings(owned, *readers, table, machine().node()), messages);
}

void mover::exchange(array_id id, const crossings& all, message_batch& messages) {
  array_state& a = writer_.array(id);
  const machine_table& table = machine().table();
  for (const crossing& c : all.out) {
    std::vector<box> sent = not_yet_sent(a, c);
    if (sent.empty()) continue;
    const location from = table.locate(c.source), to = table.locate(c.reader);
    messages.send(to.node, message_batch::lane(from.index, to.index), from, a.type.size, {id, std::move(sent)});
  }
  std::vector<box> requested;  // what several devices of this rank need is received by the first one
  for (const crossing& c : all.in) {
    std::vector<box> received = not_yet_here(a, c, requested);
    if (received.empty()) continue;
    const location from = table.locate(c.source), to = table.locate(c.reader);
    messages.receive(from.node, message_batch::lane(from.index, to.index), to, a.type.size, {id, std::move(received)});
  }
}

/// Notes that the reader's rank has it from now on.
std::vector<box> mover::not_yet_sent(array_state& a, const crossing& c) const {
  const std::int32_t peer = machine().table().node_of(c.reader).value;
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
std::vector<box> mover::not_yet_here(const array_state& a, const crossing& c, std::vector<box>& requested) const {
  std::vector<box> held, received = c.boxes;
  for (const box& b : c.boxes) {
    for (int d = 0; d < machine().device_count(); ++d)
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

/// Every message is one region: sender and receiver come to the same boxes, whichever rank owned them.
void mover::spread(std::span<const common_need> wanted, int device) {
  const location through = machine().device(device);
  std::vector<std::vector<std::vector<box>>> owned;  // per array and rank
  for (const common_need& n : wanted) {
    owned.push_back(owned_by_rank(writer_.array(n.array), *n.area, machine().table()));
    const region mine(owned.back()[static_cast<std::size_t>(machine().node().value)]);
    if (!mine.empty()) pull({n.array, device, &mine});
  }
  for (const dissemination_step& step : dissemination(machine().table().node_count(), machine().node().value)) {
    message_batch messages;
    for (std::size_t n = 0; n < wanted.size(); ++n) {
      const std::int64_t element = writer_.array(wanted[n].array).type.size;
      if (auto boxes = boxes_of(owned[n], step.sent); !boxes.empty())
        messages.send(step.to, 0, through, element, {wanted[n].array, std::move(boxes)});
      if (auto boxes = boxes_of(owned[n], step.received); !boxes.empty())
        messages.receive(step.from, 0, through, element, {wanted[n].array, std::move(boxes)});
    }
    messages.emit(writer_);
  }
  for (std::size_t n = 0; n < wanted.size(); ++n)
    for (const auto& boxes : owned[n])
      for (const box& b : boxes)
        writer_.array(wanted[n].array).owners.update(b, [](ownership& now) { now.everywhere = true; });
}

void mover::keep_promises(std::span<const common_need> written) {
  if (!machine().is_alone()) exchange_promised(written);
  for (const common_need& w : written) {
    array_state& a = writer_.array(w.array);
    if (!a.promised) continue;
    for (const auto& [device, part] : promises_.find(a.promised, *w.area, machine())) {
      const int local = device - machine().devices().first;
      if (planted("promise_taken_early"))
        for (const box& b : part.boxes()) a.note_write(local, b, {});
      pull({w.array, local, &part});
    }
  }
}

void mover::exchange_promised(std::span<const common_need> written) {
  std::vector<common_need> everywhere;
  message_batch messages;
  for (const common_need& w : written) {
    const promised_ptr& promised = writer_.array(w.array).promised;
    if (!promised) continue;
    if (promised->everything())
      everywhere.push_back(w);
    else
      exchange(w.array, promised, w.area->boxes(), messages);
  }
  messages.emit(writer_);
  if (!everywhere.empty()) spread(everywhere, 0);
}

std::map<int, region> mover::bring_home(array_id id, const region& area, std::vector<box>* nothing) {
  const array_state& a = writer_.array(id);
  std::map<int, region> parts = by_device(*a.home, area.boxes());
  if (!machine().is_alone()) {
    std::vector<partition::piece> readers;
    for (const auto& [device, part] : parts)
      for (const box& b : part.boxes()) readers.push_back({b, device, device});
    message_batch messages;
    const std::vector<owned_boxes> owned = owners_of(a, area.boxes());
    exchange(id, find_crossings(owned, listed_parts(a.shape, readers), machine().table(), machine().node()), messages);
    messages.emit(writer_);
  }
  for (const auto& [device, part] : parts) {
    const location home = machine().table().locate(device);
    if (!machine().has(home)) continue;
    const std::vector<box> empty = pull({id, home.index, &part});
    if (nothing != nullptr) nothing->insert(nothing->end(), empty.begin(), empty.end());
  }
  return parts;
}

bool mover::keep_value(const snapshot_task& value) {
  const region area(value.bounds);
  const common_need element{value.array, &area};
  if (!machine().is_alone() && !planted("value_not_spread")) spread({&element, 1}, 0);
  array_state& kept = writer_.array(value.value);
  const region whole(box::whole(kept.shape));
  sources found;
  find_sources(value.array, value.bounds, -1, found);
  if (!found.constants.empty()) return kept.invalidate(whole, found.constants.begin()->first), true;
  if (!found.nothing.empty()) return kept.invalidate(whole, {}), false;
  kept.own_everywhere();
  fetch(value.array, std::move(found), {value.value, machine().device(0)}, negative(value.bounds.lo));
  return true;
}

}  // namespace tessera::plan
