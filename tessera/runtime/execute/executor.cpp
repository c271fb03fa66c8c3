#include "tessera/runtime/execute/executor.h"

#include <algorithm>
#include <utility>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::runtime {

executor::executor(services with) : with_(std::move(with)), events_(with_.devices.size() * device::queues_per_device) {
  connect_memory();
}

executor::~executor() { drain(); }

void executor::connect_memory() {
  memory::residency::hooks hooks;
  hooks.quiesce = [this] { events_.wait_for_queues(); };
  hooks.lost = [this](array_id array, std::int32_t device, const std::vector<box>& parts,
                      const std::exception_ptr& why) {
    std::vector<plan::operand> lost;
    for (const box& b : parts) lost.push_back({{array, {with_.network.rank(), device}}, b, true});
    with_.failures.poison(lost, {with_context(why, cat("array ", array.value)), why});
  };
  if (with_.timeline != nullptr)
    hooks.moved = [this](const memory::residency::movement& m, trace::clock::time_point begin,
                         trace::clock::time_point end) {
      const auto queue = m.out ? device::queue_kind::copy_out : device::queue_kind::copy_in;
      const int row = m.disk ? static_cast<int>(events_.tails().size())
                             : m.device * device::queues_per_device + static_cast<int>(queue);
      with_.timeline->add(row, m.what, cat(m.what, " array", m.array.value, " ", m.bytes, " bytes"), begin, end);
    };
  with_.memory.connect(std::move(hooks));
}

void executor::drain() {
  events_.wait_for_queues();
  continuations_.finish();
  clear_ended();
}

std::string executor::describe_queues() const {
  constexpr auto& kinds = device::queue_names;
  const std::vector<event>& tails = events_.tails();
  std::string text;
  for (std::size_t q = 0; q < tails.size(); ++q) {
    if (tails[q].done()) continue;
    const memory::local_device& d = with_.devices[q / kinds.size()];
    text += cat("\n  ", d.backend->devices()[static_cast<std::size_t>(d.index)].name, " ", kinds[q % kinds.size()],
                " is still at work");
  }
  return text.empty() ? "\n  no queue of a device is at work" : text;
}

std::string executor::describe_messages(const std::function<std::string(task_id)>& name) const {
  return messages_.log().describe(with_.network.pending(), name);
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
    with_.memory.announce(i.id.value, work_.uses_of(i.operands));
  }
}

void executor::issue(plan::instruction next) {
  events_.add();
  continuations_.poll();
  auto made = std::make_unique<running_instruction>(with_, ended_, std::move(next));
  const plan::instruction& i = made->instruction();
  work_.take(std::move(made));
  try {
    std::visit([&](const auto& operation) { carry_out(i, operation); }, i.what);
  } catch (...) {
    fail(std::current_exception());
  }
}

void executor::fail(const std::exception_ptr& reason) {
  const std::unique_ptr<running_instruction> failed = work_.give_back();
  if (!failed) std::rethrow_exception(reason);
  const plan::instruction& i = failed->instruction();
  // What follows relies on this having come after its predecessors.
  for (const event& e : events_.pending(i.after)) e.wait();
  const std::exception_ptr full = with_context(reason, failed->describe());
  with_.failures.poison(i.operands, {full, reason});
  if (with_.network.size() > 1) with_.network.abort(cat("rank ", with_.network.rank().value, ": ", what_of(full)));
}

void executor::carry_out(const plan::instruction& i, const plan::launch_op& o) {
  launches_.issue(i, o, launches_.code_of(o));
}

void executor::carry_out(const plan::instruction&, const plan::declare_op& o) {
  with_.memory.declare(o.array, o.shape, o.type);
}

void executor::carry_out(const plan::instruction& i, const plan::release_op& o) {
  continuations_.when_all(events_.pending(i.after), [this, array = o.array] {
    with_.memory.release(array);
    if (with_.failures.any()) with_.failures.forget(array);
  });
}

void executor::carry_out(const plan::instruction& i, const plan::horizon_op&) { events_.pass_horizon(i.id); }

void executor::carry_out(const plan::instruction& i, const plan::notify_op& o) {
  if (const auto t = with_.tickets.take(o.ticket)) t->issued(o.everything ? events_.tails() : events_.pending(i.after));
}

void executor::carry_out(const plan::instruction&, const plan::reject_op& o) { throw argument_error(o.reason); }

}  // namespace tessera::runtime
