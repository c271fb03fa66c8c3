#include "tessera/runtime/execute/issue/message_issuer.h"

#include <algorithm>
#include <array>

#include "tessera/base/defects.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"

namespace tessera::runtime {

std::int64_t message_issuer::message_bytes(std::span<const plan::message_part> parts) const {
  std::int64_t sum = 0;
  for (const plan::message_part& p : parts)
    for (const box& b : p.boxes) sum += b.volume() * with_.memory.format(p.array).type.size;
  return sum;
}

std::vector<message_issuer::packed_part> message_issuer::unpacked(std::span<const plan::message_part> parts,
                                                                  location place, std::byte* data) const {
  std::vector<packed_part> result;
  for (const plan::message_part& p : parts) {
    const std::int64_t element = with_.memory.format(p.array).type.size;
    const plan::copy_ref copy{p.array, place};
    for (const box& b : p.boxes) {
      const extents strides = dense_strides(b.shape(), element);
      for (const box& inner : work_.in_parts({b}, {copy}, extents::uniform(b.rank(), 0)))
        result.push_back(
            {copy, inner, {data + offset_of(strides, inner.lo) - offset_of(strides, b.lo), strides}, element});
      data += b.volume() * element;
    }
  }
  return result;
}

void message_issuer::log_message(link_kind link, std::span<const plan::message_part> parts, const std::string& from,
                                 const std::string& to, task_id task) const {
  for (const plan::message_part& p : parts)
    for (const box& b : p.boxes)
      with_.transfers->add({p.array, b, from, to, b.volume() * with_.memory.format(p.array).type.size, link, task});
}

void message_issuer::issue(const plan::instruction& i, const plan::send_op& o) {
  log_.add(true, o.peer, o.number, i.task);
  // Queues of other memories than the host's need not keep the order of work that is done on the host.
  if (o.source.is_host() && !with_.devices.front().backend->shares_host_memory())
    for (const event& e : events_.pending(i.after)) e.wait();
  const std::int64_t bytes = message_bytes(o.parts);
  const std::shared_ptr<std::byte> packed = with_.memory.stage(bytes);
  std::vector<plan::message_part> message = o.parts;
  if (planted("send_out_of_order"))
    for (plan::message_part& p : message) std::reverse(p.boxes.begin(), p.boxes.end());
  const std::vector<packed_part> parts = unpacked(message, o.source, packed.get());
  live_statistics::add(with_.statistics.sent_bytes, bytes);
  live_statistics::add(with_.statistics.messages_sent, 1);
  if (with_.logs_transfers())
    log_message(link_kind::sent, o.parts, with_.name_of(o.source), cat("rank ", o.peer.value), i.task);
  auto transmit = [this, packed, bytes, peer = o.peer, number = o.number] {
    if (!with_.network.failed()) with_.network.send(peer, number, {{packed.get(), index(bytes)}, packed});
  };
  const event last = work_.run_parts(
      o.source.index, device::queue_kind::copy_out, parts.size(), {},
      [&](std::size_t k) {
        return std::array<plan::operand, 1>{{{parts[k].copy, parts[k].bounds, false}}};
      },
      [&](device_work& work, const device::order& order, std::size_t k) {
        const packed_part& p = parts[k];
        return work.backend->copy(order, {p.packed, work_.part(p.copy, p.bounds), p.bounds.shape(), p.element});
      });
  continuations_.when_all({last}, std::move(transmit));
}

expected_message message_issuer::expect(const plan::instruction& i, const plan::receive_op& o) {
  log_.add(false, o.peer, o.number, i.task);
  const std::int64_t bytes = message_bytes(o.parts);
  std::shared_ptr<std::byte> packed = with_.memory.stage(bytes);
  live_statistics::add(with_.statistics.received_bytes, bytes);
  if (with_.logs_transfers())
    log_message(link_kind::received, o.parts, cat("rank ", o.peer.value), with_.name_of(o.target), i.task);
  const event arrival = with_.network.receive(o.peer, o.number, {{packed.get(), index(bytes)}, packed});
  return {std::move(packed), arrival};
}

void message_issuer::issue(const plan::receive_op& o, const expected_message& message) {
  const std::vector<packed_part> parts = unpacked(o.parts, o.target, message.packed.get());
  const event last = work_.run_parts(
      o.target.index, device::queue_kind::copy_in, parts.size(),
      planted("receive_unawaited") ? event{} : message.arrival,
      [&](std::size_t k) {
        return std::array<plan::operand, 1>{{{parts[k].copy, parts[k].bounds, true}}};
      },
      [&](device_work& work, const device::order& order, std::size_t k) {
        const packed_part& p = parts[k];
        return work.backend->copy(order, {work_.part(p.copy, p.bounds), p.packed, p.bounds.shape(), p.element});
      });
  continuations_.when_all({last, message.arrival}, [packed = message.packed] {});
}

}  // namespace tessera::runtime
