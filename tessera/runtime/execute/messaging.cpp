// How the executor turns messages into copies and calls of the network.

#include <algorithm>
#include <array>

#include "tessera/base/defects.h"
#include "tessera/base/text.h"
#include "tessera/runtime/execute/running.h"

namespace tessera::runtime {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace

void executor::note_message(bool outgoing, node_id peer, std::uint64_t number, task_id task) {
  message_note& note = message_notes_[next_note_++ % message_notes_.size()];
  note.task.store(task.value, std::memory_order_relaxed);
  note.key.store(key_of(outgoing, peer, number), std::memory_order_release);
}

std::string executor::describe_messages(const std::function<std::string(task_id)>& name) const {
  constexpr std::size_t enough = 16;
  const std::vector<comm::pending_message> all = with_.network.pending();
  std::string text;
  for (std::size_t k = 0; k < std::min(all.size(), enough); ++k) {
    const comm::pending_message& m = all[k];
    text += cat("\n  waits for message ", m.number, m.outgoing ? " to" : " from", " rank ", m.peer.value, ", ", m.bytes,
                " bytes");
    for (const message_note& note : message_notes_)
      if (note.key.load(std::memory_order_acquire) == key_of(m.outgoing, m.peer, m.number))
        text += cat(", of ", name(task_id(note.task.load(std::memory_order_relaxed))));
  }
  return all.size() > enough ? cat(text, "\n  and for ", all.size() - enough, " more messages") : text;
}

std::int64_t executor::message_bytes(std::span<const plan::message_part> parts) const {
  std::int64_t sum = 0;
  for (const plan::message_part& p : parts)
    for (const box& b : p.boxes) sum += b.volume() * with_.memory.format(p.array).type.size;
  return sum;
}

/// A message from `data` on, as what is copied piece by piece.
std::vector<executor::packed_part> executor::unpacked(std::span<const plan::message_part> parts, location where,
                                                      std::byte* data) const {
  std::vector<packed_part> result;
  for (const plan::message_part& p : parts) {
    const std::int64_t element = with_.memory.format(p.array).type.size;
    const plan::copy_ref copy{p.array, where};
    for (const box& b : p.boxes) {
      const extents strides = dense_strides(b.shape(), element);
      for (const box& inner : in_parts({b}, {copy}, extents::uniform(b.rank(), 0)))
        result.push_back(
            {copy, inner, {data + offset_of(strides, inner.lo) - offset_of(strides, b.lo), strides}, element});
      data += b.volume() * element;
    }
  }
  return result;
}

void executor::carry_out(const plan::instruction& i, const plan::send_op& o) {
  note_message(true, o.peer, o.number, i.task);
  // Queues of other memories than the host's need not keep the order of work that is done on the host.
  if (o.source.is_host() && !with_.devices.front().backend->shares_host_memory())
    for (const event& e : events_of(i.after)) e.wait();
  const std::int64_t bytes = message_bytes(o.parts);
  const std::shared_ptr<std::byte> packed = with_.memory.stage(bytes);
  std::vector<plan::message_part> message = o.parts;
  if (planted("send_out_of_order"))
    for (plan::message_part& p : message) std::reverse(p.boxes.begin(), p.boxes.end());
  const std::vector<packed_part> parts = unpacked(message, o.source, packed.get());
  live_statistics::add(with_.statistics.sent_bytes, bytes);
  live_statistics::add(with_.statistics.messages_sent, 1);
  auto transmit = [this, packed, bytes, peer = o.peer, number = o.number] {
    if (!with_.network.failed()) with_.network.send(peer, number, {{packed.get(), at(bytes)}, packed});
  };
  const event last = run_parts(
      o.source.index, device::queue_kind::copy_out, parts.size(), {},
      [&](std::size_t k) {
        return std::array<plan::operand, 1>{{{parts[k].copy, parts[k].where, false}}};
      },
      [&](verb& v, const device::order& how, std::size_t k) {
        const packed_part& p = parts[k];
        return v.backend->copy(how, {p.packed, part(p.copy, p.where), p.where.shape(), p.element});
      });
  continuations_.when_all({last}, std::move(transmit));
}

void executor::carry_out(const plan::instruction& i, const plan::receive_op& o) {
  note_message(false, o.peer, o.number, i.task);
  const std::int64_t bytes = message_bytes(o.parts);
  const std::shared_ptr<std::byte> packed = with_.memory.stage(bytes);
  const std::vector<packed_part> parts = unpacked(o.parts, o.target, packed.get());
  live_statistics::add(with_.statistics.received_bytes, bytes);
  const event arrival = with_.network.receive(o.peer, o.number, {{packed.get(), at(bytes)}, packed});
  const event last = run_parts(
      o.target.index, device::queue_kind::copy_in, parts.size(), planted("receive_unawaited") ? event{} : arrival,
      [&](std::size_t k) {
        return std::array<plan::operand, 1>{{{parts[k].copy, parts[k].where, true}}};
      },
      [&](verb& v, const device::order& how, std::size_t k) {
        const packed_part& p = parts[k];
        return v.backend->copy(how, {part(p.copy, p.where), p.packed, p.where.shape(), p.element});
      });
  continuations_.when_all({last, arrival}, [packed] {});
}

}  // namespace tessera::runtime
