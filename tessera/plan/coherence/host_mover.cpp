#include "tessera/plan/coherence/host_mover.h"

#include <algorithm>

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

std::vector<box> host_mover::own_boxes_of(const host_exchange& request) {
  return own_boxes(*writer_.array(request.array).home, machine().devices(), request.bounds);
}

void host_mover::copy_own(const host_exchange& request, array_id buffer, const box& outer, bool out,
                          std::vector<instruction_id>& done) {
  const copy_ref outside{buffer, machine().host()};
  const partition& home = *writer_.array(request.array).home;
  for (const auto& [device, part] : by_device(home, {&outer, 1}, machine().devices())) {
    const copy_ref inside{request.array, machine().table().locate(device)};
    copy_op copy = out ? copy_op{inside, outside, list(part), negative(outer.lo)}
                       : copy_op{outside, inside, within(outer, part), outer.lo};
    std::vector<operand> operands = operands_of(copy);
    done.push_back(writer_.emit(std::move(copy), std::move(operands)));
  }
}

std::vector<instruction_id> host_mover::scatter(const host_exchange& request) {
  array_state& a = writer_.array(request.array);
  writer_.invalidate(request.array, region(request.bounds), a.home);
  std::vector<instruction_id> done;
  if (request.ranks.form == host_ranks::kind::own) {
    const std::vector<box> own = own_boxes_of(request);
    for (std::size_t k = 0; k < own.size(); ++k) copy_own(request, request.buffers[k], own[k], false, done);
    return done;
  }
  const bool one = request.ranks.form == host_ranks::kind::one, here = !one || request.ranks.rank == machine().node();
  message_batch messages;
  for (const auto& [device, part] : one ? by_device(*a.home, {&request.bounds, 1}) : std::map<int, region>{}) {
    const location home = machine().table().locate(device);
    if (here && !machine().has(home))
      messages.send(home.node, home.index, machine().host(), a.type.size,
                    {request.buffers[0], within(request.bounds, part)});
    if (!here && machine().has(home))
      messages.receive(request.ranks.rank, home.index, home, a.type.size, {request.array, list(part)});
  }
  done = messages.emit(writer_);
  if (here) copy_own(request, request.buffers[0], request.bounds, false, done);
  return done;
}

std::vector<instruction_id> host_mover::gather(const host_exchange& request, std::vector<box>& nothing) {
  switch (request.ranks.form) {
    case host_ranks::kind::one:
      return request.ranks.rank == machine().node() ? gather_on_one(request, nothing) : send_to_one(request);
    case host_ranks::kind::own:
      return gather_own(request, nothing);
    default:
      return gather_everywhere(request, nothing);
  }
}

/// What this rank owns is copied; the rest comes in messages that the host memories of all ranks exchange.
std::vector<instruction_id> host_mover::gather_everywhere(const host_exchange& request, std::vector<box>& nothing) {
  const array_state& a = writer_.array(request.array);
  const array_id buffer = request.buffers[0];
  sources found;
  found.only_what_all_have = true;
  devices_.find_sources(request.array, request.bounds, machine().host_memory(), found);
  nothing = std::move(found.nothing);
  std::vector<instruction_id> done;
  devices_.fetch(request.array, std::move(found), {buffer, machine().host()}, negative(request.bounds.lo), &done);
  if (machine().is_alone() || request.ranks.form == host_ranks::kind::here) return done;

  std::vector<std::vector<box>> owned = owned_by_rank(a, region(request.bounds), machine().table());
  for (auto& boxes : owned) boxes = within(request.bounds, region(std::move(boxes)));
  for (const dissemination_step& step : dissemination(machine().table().node_count(), machine().node().value)) {
    message_batch messages;
    if (auto boxes = boxes_of(owned, step.sent); !boxes.empty())
      messages.send(step.to, 0, machine().host(), a.type.size, {buffer, std::move(boxes)});
    if (auto boxes = boxes_of(owned, step.received); !boxes.empty())
      messages.receive(step.from, 0, machine().host(), a.type.size, {buffer, std::move(boxes)});
    const std::vector<instruction_id> emitted = messages.emit(writer_, done);
    done.insert(done.end(), emitted.begin(), emitted.end());
  }
  return done;
}

/// Owners send what that rank does not hold.
std::vector<instruction_id> host_mover::send_to_one(const host_exchange& request) {
  const array_state& a = writer_.array(request.array);
  const std::int32_t rank = request.ranks.rank.value;
  const int first = machine().devices().first;
  std::map<int, std::vector<box>> sent;
  for (const owned_boxes& owned : owners_of(a, {&request.bounds, 1}))
    for (const auto& [device, part] : by_device(*owned.owners, owned.boxes, machine().devices()))
      for (const box& b : part.boxes())
        a.replicas.visit(b, [&, from = device - first](const box& piece, const array_state::ranks& nodes) {
          if (!std::binary_search(nodes.begin(), nodes.end(), rank)) sent[from].push_back(piece);
        });
  message_batch messages;
  for (auto& [device, boxes] : sent)
    messages.send(request.ranks.rank, device, machine().device(device), a.type.size,
                  {request.array, region(std::move(boxes)).take_boxes()});
  return messages.emit(writer_);
}

std::vector<instruction_id> host_mover::gather_on_one(const host_exchange& request, std::vector<box>& nothing) {
  const array_state& a = writer_.array(request.array);
  const copy_ref buffer{request.buffers[0], machine().host()};
  sources found;
  devices_.find_sources(request.array, request.bounds, machine().host_memory(), found);
  nothing = std::move(found.nothing);
  message_batch messages;
  for (auto& [device, boxes] : found.remote) {
    const location owner = machine().table().locate(device);
    std::vector<box> parts = within(request.bounds, region(std::move(boxes)));
    if (!parts.empty())
      messages.receive(owner.node, owner.index, buffer.place, a.type.size, {buffer.array, std::move(parts)});
  }
  std::vector<instruction_id> done = messages.emit(writer_);
  devices_.fetch(request.array, std::move(found), buffer, negative(request.bounds.lo), &done);
  return done;
}

/// Contents go home first, wherever they are.
std::vector<instruction_id> host_mover::gather_own(const host_exchange& request, std::vector<box>& nothing) {
  devices_.bring_home(request.array, region(request.bounds), &nothing);
  std::vector<instruction_id> done;
  const std::vector<box> own = own_boxes_of(request);
  for (std::size_t k = 0; k < own.size(); ++k) copy_own(request, request.buffers[k], own[k], true, done);
  return done;
}

}  // namespace tessera::plan
