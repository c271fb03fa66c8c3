#include "tessera/runtime/executor.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/runtime/running.h"

namespace tessera::runtime {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

std::int64_t bytes_of(const std::vector<box>& boxes, std::int64_t element) {
  std::int64_t sum = 0;
  for (const box& b : boxes) sum += b.volume() * element;
  return sum;
}

}  // namespace

executor::executor(services with)
    : with_(std::move(with)), queue_tails_(with_.devices.size() * device::queues_per_device) {}

executor::~executor() { drain(); }

void executor::drain() {
  for (const event& e : queue_tails_) e.wait();
  continuations_.finish();
  clear_ended();
}

void executor::clear_ended() {
  if (ended_.load(std::memory_order_relaxed) == nullptr) return;
  for (running* r = ended_.exchange(nullptr, std::memory_order_acquire); r != nullptr;)
    delete std::exchange(r, r->next_);
}

void executor::issue(plan::instruction next) {
  events_.emplace_back();
  continuations_.poll();
  current_ = std::make_unique<running>(with_, ended_, std::move(next));
  const plan::instruction& i = current_->what();
  try {
    for (const plan::operand& o : i.operands) with_.copies.back(o.copy.array, o.copy.where.index, o.where);
    std::visit([&](const auto& what) { carry_out(i, what); }, i.what);
  } catch (...) {
    fail(std::current_exception());
  }
}

/// The current instruction cannot be enqueued: what depends on it gets the reason instead of a result.
void executor::fail(const std::exception_ptr& reason) {
  if (!current_) std::rethrow_exception(reason);
  // What follows relies on this having come after its predecessors.
  for (const event& e : events_of(current_->what().after)) e.wait();
  const std::exception_ptr full = with_context(reason, current_->describe());
  with_.failures.poison(current_->what().operands, {full, reason});
  if (with_.network.size() > 1) with_.network.abort(cat("rank ", with_.network.rank().value, ": ", what_of(full)));
}

std::vector<event> executor::events_of(const std::vector<instruction_id>& ids) const {
  std::vector<event> result;
  for (const instruction_id id : ids) {
    if (id.value < first_id_) continue;
    const event& e = events_[at(static_cast<std::int64_t>(id.value - first_id_))];
    if (!e.done()) result.push_back(e);
  }
  return result;
}

/// Prepares `steps` pieces of work on a queue of `device` (of the first one if it is the host's).
executor::verb executor::begin(std::int32_t device, device::queue_kind kind, int steps) {
  const std::size_t index = device < 0 ? 0 : at(device);
  const memory::local_device& where = with_.devices[index];
  const std::size_t queue = index * device::queues_per_device + static_cast<std::size_t>(kind);
  const plan::instruction& i = current_->what();
  verb v{where.backend, {{where.index, kind}, {}, nullptr}, queue, i.id, {}, false};
  v.waits.reserve(i.after.size());
  for (const instruction_id id : i.after) {
    if (id.value < first_id_) continue;
    const event& e = events_[at(static_cast<std::int64_t>(id.value - first_id_))];
    if (e.line == queue_tails_[queue].line || e.done()) continue;  // the queue itself keeps its order
    if (where.backend->can_wait(e))
      v.waits.push_back(e);
    else
      e.wait();
  }
  current_->expect(steps, static_cast<int>(queue));
  v.how.watch = current_.release();  // it lists itself in `ended_`
  return v;
}

void executor::end(verb& v, const event& last) {
  queue_tails_[v.queue] = last;
  events_[at(static_cast<std::int64_t>(v.id.value - first_id_))] = last;
}

device::strided executor::part(const plan::copy_ref& copy, const box& where) {
  const memory::array_format& format = with_.copies.format(copy.array);
  std::byte* data = with_.copies.address(copy.array, copy.where.index);
  for (int k = 0; k < where.rank(); ++k) data += where.lo[k] * format.strides[k];
  return {data, format.strides};
}

void executor::carry_out(const plan::instruction&, const plan::declare_op& o) {
  with_.copies.declare(o.array, o.shape, o.type);
}

void executor::carry_out(const plan::instruction& i, const plan::release_op& o) {
  continuations_.when_all(events_of(i.after), [this, array = o.array] {
    with_.copies.release(array);
    if (with_.failures.any()) with_.failures.forget(array);
  });
}

void executor::carry_out(const plan::instruction&, const plan::copy_op& o) {
  const std::int64_t element = with_.copies.format(o.source.array).type.size;
  std::vector<device::copy_desc> pieces;
  for (const box& b : o.boxes)
    pieces.push_back(
        {part(o.target, planted("write_ignores_slice") && o.source.where.is_host() ? b : translate(b, o.shift)),
         part(o.source, b), b.shape(), element});
  const std::int64_t bytes = bytes_of(o.boxes, element);
  count_copy(o, bytes);
  const bool up = pulls(o);
  const device::queue_kind own = up ? device::queue_kind::copy_in : device::queue_kind::copy_out;
  verb v = begin(up ? o.target.where.index : o.source.where.index,
                 is_tiny(o, bytes) ? device::queue_kind::compute : own, static_cast<int>(pieces.size()));
  event last;
  for (const device::copy_desc& p : pieces) last = v.backend->copy(v.next(), p);
  end(v, last);
}

/// The target's device copies, unless only the source's can reach both memories.
bool executor::pulls(const plan::copy_op& o) const {
  if (o.target.where.is_host() || o.source.where.is_host()) return !o.target.where.is_host();
  const auto shares = [&](std::int32_t d) { return with_.devices[at(d)].backend->shares_host_memory(); };
  return !shares(o.target.where.index) || shares(o.source.where.index);
}

/// Between devices of one backend that is better off without a queue for it.
bool executor::is_tiny(const plan::copy_op& o, std::int64_t bytes) const {
  if (o.target.where.is_host() || o.source.where.is_host()) return false;
  const device::backend* const b = with_.devices[at(o.target.where.index)].backend;
  return b == with_.devices[at(o.source.where.index)].backend && bytes <= b->tiny_copy_bytes();
}

void executor::count_copy(const plan::copy_op& o, std::int64_t bytes) {
  live_statistics& s = with_.statistics;
  live_statistics::add(s.copies, 1);
  live_statistics::add(o.source.where.is_host()   ? s.host_to_device
                       : o.target.where.is_host() ? s.device_to_host
                                                  : s.device_to_device,
                       bytes);
}

void executor::carry_out(const plan::instruction&, const plan::fill_op& o) {
  std::vector<device::fill_desc> pieces;
  for (const box& b : o.boxes) pieces.push_back({part(o.target, b), b.shape(), *o.value});
  if (planted("fill_truncated"))
    for (device::fill_desc& p : pieces)
      std::fill(p.value.begin() + std::min<std::ptrdiff_t>(4, std::ssize(p.value)), p.value.end(), std::byte{0});
  verb v = begin(o.target.where.index, device::queue_kind::compute, static_cast<int>(pieces.size()));
  event last;
  for (device::fill_desc& p : pieces) last = v.backend->fill(v.next(), std::move(p));
  end(v, last);
}

void executor::carry_out(const plan::instruction&, const plan::fold_op& o) {
  const dtype type = with_.copies.format(o.target.array).type;
  std::vector<device::fold_desc> pieces;
  for (const box& b : o.boxes)
    pieces.push_back({part(o.target, b), part(o.source, b), b.shape(), type, o.op, o.overwrite});
  verb v = begin(o.target.where.index, device::queue_kind::compute, static_cast<int>(pieces.size()));
  event last;
  for (const device::fold_desc& p : pieces) last = v.backend->fold(v.next(), p);
  end(v, last);
}

void executor::carry_out(const plan::instruction&, const plan::send_op& o) {
  const std::int64_t element = with_.copies.format(o.source.array).type.size;
  const auto staging = std::make_shared<std::vector<std::byte>>(at(bytes_of(o.boxes, element)));
  std::vector<device::copy_desc> pieces;
  std::byte* to = staging->data();
  for (std::size_t n = 0; n < o.boxes.size(); ++n) {
    const box& b = o.boxes[planted("send_out_of_order") ? o.boxes.size() - 1 - n : n];
    pieces.push_back({{to, dense_strides(b.shape(), element)}, part(o.source, b), b.shape(), element});
    to += b.volume() * element;
  }
  live_statistics::add(with_.statistics.sent, static_cast<std::int64_t>(staging->size()));
  live_statistics::add(with_.statistics.messages, 1);
  auto transmit = [this, staging, peer = o.peer, number = o.number] {
    if (!with_.network.failed()) sends_.when_all({with_.network.send(peer, number, *staging)}, [staging] {});
  };
  verb v = begin(o.source.where.index, device::queue_kind::copy_out, static_cast<int>(pieces.size()));
  event last;
  for (const device::copy_desc& p : pieces) last = v.backend->copy(v.next(), p);
  end(v, last);
  continuations_.when_all({last}, std::move(transmit));
}

void executor::carry_out(const plan::instruction&, const plan::receive_op& o) {
  const std::int64_t element = with_.copies.format(o.target.array).type.size;
  const auto staging = std::make_shared<std::vector<std::byte>>(at(bytes_of(o.boxes, element)));
  std::vector<device::copy_desc> pieces;
  std::byte* from = staging->data();
  for (const box& b : o.boxes) {
    pieces.push_back(
        {part(o.target, translate(b, o.shift)), {from, dense_strides(b.shape(), element)}, b.shape(), element});
    from += b.volume() * element;
  }
  live_statistics::add(with_.statistics.received, static_cast<std::int64_t>(staging->size()));
  const event arrival = with_.network.receive(o.peer, o.number, *staging);
  verb v = begin(o.target.where.index, device::queue_kind::copy_in, static_cast<int>(pieces.size()));
  if (!v.backend->can_wait(arrival))
    arrival.wait();
  else if (!planted("receive_unawaited"))
    v.waits.push_back(arrival);
  event last;
  for (const device::copy_desc& p : pieces) last = v.backend->copy(v.next(), p);
  end(v, last);
  continuations_.when_all({last}, [staging] {});
}

void executor::carry_out(const plan::instruction& i, const plan::horizon_op&) {
  for (const event& e : horizon_tails_) e.wait();
  horizon_tails_ = queue_tails_;
  // No later instruction names anything up to the last horizon.
  for (; first_id_ <= last_horizon_; ++first_id_) events_.pop_front();
  last_horizon_ = i.id.value;
}

void executor::carry_out(const plan::instruction& i, const plan::notify_op& o) {
  const bool everything = o.buffer == array_id{};
  if (const auto t = with_.tickets.take(o.ticket)) t->issued(everything ? queue_tails_ : events_of(i.after));
}

void executor::carry_out(const plan::instruction&, const plan::reject_op& o) { throw argument_error(o.reason); }

}  // namespace tessera::runtime
