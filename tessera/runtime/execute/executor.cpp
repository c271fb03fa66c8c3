#include "tessera/runtime/execute/executor.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/runtime/execute/running.h"

namespace tessera::runtime {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

extents nowhere(const std::vector<box>& boxes) { return extents::uniform(boxes.front().rank(), 0); }

std::int64_t bytes_of(const std::vector<box>& boxes, std::int64_t element) {
  std::int64_t sum = 0;
  for (const box& b : boxes) sum += b.volume() * element;
  return sum;
}

}  // namespace

executor::executor(services with)
    : with_(std::move(with)), queue_tails_(with_.devices.size() * device::queues_per_device) {
  with_.memory.connect(memory_events_);
}

executor::~executor() {
  drain();
  with_.memory.disconnect();
}

void executor::drain() {
  for (const event& e : queue_tails_) e.wait();
  continuations_.finish();
  clear_ended();
}

std::string executor::describe_queues() const {
  constexpr auto& kinds = device::queue_names;
  std::string text;
  for (std::size_t q = 0; q < queue_tails_.size(); ++q) {
    if (queue_tails_[q].done()) continue;
    const memory::local_device& d = with_.devices[q / kinds.size()];
    text += cat("\n  ", d.backend->devices()[at(d.index)].name, " ", kinds[q % kinds.size()], " is still at work");
  }
  return text.empty() ? "\n  no queue of a device is at work" : text;
}

void executor::clear_ended() {
  if (ended_.load(std::memory_order_relaxed) == nullptr) return;
  for (running* r = ended_.exchange(nullptr, std::memory_order_acquire); r != nullptr;)
    delete std::exchange(r, r->next_);
}

void executor::issue_all(std::vector<plan::instruction>& batch,
                         const std::function<void(std::vector<plan::instruction>&)>& more) {
  constexpr std::size_t farthest = 1 << 16;  // instructions looked ahead
  window_.clear();
  window_.swap(batch);
  announced_ = 0;
  for (next_ = 0; next_ < window_.size(); ++next_) {
    if (with_.memory.wants_announcements()) {
      if (next_ > farthest) {
        window_.erase(window_.begin(), window_.begin() + static_cast<std::ptrdiff_t>(next_));
        announced_ -= std::min(announced_, std::exchange(next_, 0));
      }
      if (window_.size() - next_ < farthest) more(batch);
      for (plan::instruction& i : batch) window_.push_back(std::move(i));
      batch.clear();
      announce();
    }
    issue(std::move(window_[next_]));
  }
  window_.clear();
}

/// Tells memory what the instructions of the window will use, as far as it does not know yet.
void executor::announce() {
  for (announced_ = std::max(announced_, next_); announced_ < window_.size(); ++announced_) {
    const plan::instruction& i = window_[announced_];
    with_.memory.announce(i.id.value, uses_of(i.operands));
  }
}

void executor::issue(plan::instruction next) {
  events_.emplace_back();
  continuations_.poll();
  current_ = std::make_unique<running>(with_, ended_, std::move(next));
  const plan::instruction& i = current_->what();
  try {
    std::visit([&](const auto& what) { carry_out(i, what); }, i.what);
  } catch (...) {
    fail(std::current_exception());
  }
}

std::span<const memory::use> executor::uses_of(std::span<const plan::operand> operands) {
  uses_.clear();
  for (const plan::operand& o : operands) uses_.push_back({o.copy.array, o.copy.where.index, &o.where, o.written});
  return uses_;
}

void executor::reserve(instruction_id position, std::span<const plan::operand> operands, memory::workspace besides) {
  memory_waits_.clear();
  with_.memory.reserve(position.value, uses_of(operands), memory_waits_, besides);
}

std::vector<box> executor::in_parts(const std::vector<box>& boxes, std::initializer_list<plan::copy_ref> copies,
                                    const extents& shift) const {
  std::vector<box> parts, left(boxes.rbegin(), boxes.rend());
  while (!left.empty()) {
    const box b = left.back();
    left.pop_back();
    int axis = 0;
    while (axis < b.rank() && b.extent(axis) < 2) ++axis;
    bool small = axis == b.rank();
    if (!small) {
      small = true;
      const plan::copy_ref* const target = copies.end() - 1;  // the one whose coordinates are shifted
      for (const plan::copy_ref& c : copies)
        small = small && with_.memory.is_small(c.array, c.where.index, &c == target ? translate(b, shift) : b);
    }
    if (small) {
      parts.push_back(b);
      continue;
    }
    box lower = b, upper = b;
    lower.hi[axis] = upper.lo[axis] = b.lo[axis] + b.extent(axis) / 2;
    left.push_back(upper);
    left.push_back(lower);
  }
  return parts;
}

/// The last `parts` pieces of the work cannot be enqueued.
void executor::abandon(verb& v, std::size_t parts, const std::exception_ptr& reason) {
  // What follows relies on this having come after its predecessors.
  if (!v.begun)
    for (const event& e : v.waits) e.wait();
  v.how.watch->failed(reason);
  for (std::size_t k = 1; k < parts; ++k) v.how.watch->ended();
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
  live_statistics::add(with_.statistics.begun, 1);
  current_->expect(steps, static_cast<int>(queue));
  v.how.watch = current_.release();  // it lists itself in `ended_`
  return v;
}

void executor::end(verb& v, const event& last) {
  if (last.line != nullptr) queue_tails_[v.queue] = last;  // nothing was enqueued: the queue ends as before
  events_[at(static_cast<std::int64_t>(v.id.value - first_id_))] = last;
}

device::strided executor::part(const plan::copy_ref& copy, const box& where) {
  const memory::array_format& format = with_.memory.format(copy.array);
  std::byte* data = with_.memory.address(copy.array, copy.where.index);
  for (int k = 0; k < where.rank(); ++k) data += where.lo[k] * format.strides[k];
  return {data, format.strides};
}

void executor::carry_out(const plan::instruction&, const plan::declare_op& o) {
  with_.memory.declare(o.array, o.shape, o.type);
}

void executor::carry_out(const plan::instruction& i, const plan::release_op& o) {
  continuations_.when_all(events_of(i.after), [this, array = o.array] {
    with_.memory.release(array);
    if (with_.failures.any()) with_.failures.forget(array);
  });
}

void executor::carry_out(const plan::instruction&, const plan::copy_op& o) {
  const std::int64_t element = with_.memory.format(o.source.array).type.size;
  const std::int64_t bytes = bytes_of(o.boxes, element);
  count_copy(o, bytes);
  const bool up = pulls(o);
  const device::queue_kind own = up ? device::queue_kind::copy_in : device::queue_kind::copy_out;
  const std::vector<box> parts = in_parts(o.boxes, {o.source, o.target}, o.shift);
  const auto there = [&](const box& b) {
    return planted("write_ignores_slice") && o.source.where.is_host() ? b : translate(b, o.shift);
  };
  run_parts(
      up ? o.target.where.index : o.source.where.index, is_tiny(o, bytes) ? device::queue_kind::compute : own,
      parts.size(), {},
      [&](std::size_t k) {
        return std::array<plan::operand, 2>{{{o.source, parts[k], false}, {o.target, there(parts[k]), true}}};
      },
      [&](verb& v, const device::order& how, std::size_t k) {
        return v.backend->copy(how,
                               {part(o.target, there(parts[k])), part(o.source, parts[k]), parts[k].shape(), element});
      });
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
  live_statistics::add(o.source.where.is_host()   ? s.host_to_device_bytes
                       : o.target.where.is_host() ? s.device_to_host_bytes
                                                  : s.device_to_device_bytes,
                       bytes);
}

void executor::carry_out(const plan::instruction&, const plan::fill_op& o) {
  const plan::copy_ref target = o.target;
  std::vector<std::byte> value = *o.value;
  if (planted("fill_truncated"))
    std::fill(value.begin() + std::min<std::ptrdiff_t>(4, std::ssize(value)), value.end(), std::byte{0});
  const std::vector<box> parts = in_parts(o.boxes, {target}, nowhere(o.boxes));
  run_parts(
      target.where.index, device::queue_kind::compute, parts.size(), {},
      [&](std::size_t k) {
        return std::array<plan::operand, 1>{{{target, parts[k], true}}};
      },
      [&](verb& v, const device::order& how, std::size_t k) {
        return v.backend->fill(how, {part(target, parts[k]), parts[k].shape(), value});
      });
}

void executor::carry_out(const plan::instruction&, const plan::fold_op& o) {
  const dtype type = with_.memory.format(o.target.array).type;
  const std::vector<box> parts = in_parts(o.boxes, {o.source, o.target}, nowhere(o.boxes));
  run_parts(
      o.target.where.index, device::queue_kind::compute, parts.size(), {},
      [&](std::size_t k) {
        return std::array<plan::operand, 3>{
            {{o.source, parts[k], false}, {o.target, parts[k], o.overwrite}, {o.target, parts[k], true}}};
      },
      [&](verb& v, const device::order& how, std::size_t k) {
        const box& b = parts[k];
        return v.backend->fold(how, {part(o.target, b), part(o.source, b), b.shape(), type, o.op, o.overwrite});
      });
}

void executor::carry_out(const plan::instruction& i, const plan::horizon_op&) {
  for (const event& e : horizon_tails_) e.wait();
  horizon_tails_ = queue_tails_;
  // No later instruction names anything up to the last horizon.
  for (; first_id_ <= last_horizon_; ++first_id_) events_.pop_front();
  last_horizon_ = i.id.value;
}

void executor::carry_out(const plan::instruction& i, const plan::notify_op& o) {
  if (const auto t = with_.tickets.take(o.ticket)) t->issued(o.everything ? queue_tails_ : events_of(i.after));
}

void executor::carry_out(const plan::instruction&, const plan::reject_op& o) { throw argument_error(o.reason); }

}  // namespace tessera::runtime
