#include "tessera/runtime/execute/executor.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::runtime {

/// Does one instruction, which is the current one of `work_`.
struct executor::action_visitor {
  executor& self;
  pending_instruction& p;
  const plan::instruction& i;

  void operator()(const plan::launch_op& o) const { self.launches_.issue(i, o, std::move(p.code)); }
  void operator()(const plan::copy_op& o) const { self.mover_.issue(o); }
  void operator()(const plan::fill_op& o) const { self.mover_.issue(o, p.code); }
  void operator()(const plan::fold_op& o) const { self.mover_.issue(o, p.code); }
  void operator()(const plan::send_op& o) const { self.messages_.issue(i, o); }
  void operator()(const plan::receive_op& o) const { self.messages_.issue(o, p.message); }
  void operator()(const plan::declare_op& o) const { self.with_.memory.declare(o.array, o.shape, o.type); }
  void operator()(const plan::release_op& o) const {
    const std::vector<event> last_uses = self.events_.pending(i.after);
    if (!last_uses.empty()) self.with_.memory.expect_release(o.array, last_uses);
    self.continuations_.when_all(last_uses, [&with = self.with_, array = o.array] {
      with.memory.release(array);
      if (with.failures.any()) with.failures.forget(array);
    });
  }
  void operator()(const plan::horizon_op&) const { self.events_.pass_horizon(i.id); }
  void operator()(const plan::notify_op& o) const {
    if (const auto t = self.with_.tickets.take(o.ticket))
      t->issued(o.everything ? self.events_.tails() : self.events_.pending(i.after));
  }
  void operator()(const plan::reject_op& o) const { throw argument_error(o.reason); }
};

template <class Done>
void executor::release_until(Done done) {
  constexpr std::chrono::microseconds pause(20);
  while (!held_.empty() && !done()) {
    release_held();
    if (!held_.empty() && !done()) std::this_thread::sleep_for(pause);
  }
}

executor::executor(services with) : with_(std::move(with)), events_(with_.devices.size() * device::queues_per_device) {
  with_.memory.connect(memory_events_);
}

executor::~executor() {
  drain();
  with_.memory.disconnect();
}

void executor::drain() {
  settle();
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
  if (held_.empty()) return;
  if (compiled_.exchange(false)) release_held();
  // Some timelines cannot wake this thread when their events happen.
  release_until([&] { return !held_.any_compiled(); });
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
  pending_instruction p{std::make_unique<running_instruction>(with_, ended_, std::move(next)), {}, {}, nullptr};
  prepare(p);
  if (held_.empty() && p.code.ready())
    carry_out(std::move(p));
  else
    issue_or_hold(std::move(p));
}

void executor::prepare(pending_instruction& p) try {
  const plan::instruction& i = p.instruction();
  if (const auto* launch = std::get_if<plan::launch_op>(&i.action))
    p.code = launches_.code_of(*launch->launch, launch->place);
  else if (const auto* fill = std::get_if<plan::fill_op>(&i.action); fill != nullptr && fill->identity_of.launch)
    p.code = launches_.code_of(*fill->identity_of.launch, fill->target.place);
  else if (const auto* fold = std::get_if<plan::fold_op>(&i.action); fold != nullptr && fold->by.launch)
    p.code = launches_.code_of(*fold->by.launch, fold->target.place);
  else if (const auto* receive = std::get_if<plan::receive_op>(&i.action))
    p.message = messages_.expect(i, *receive);
} catch (...) {
  p.failure = std::current_exception();
}

void executor::issue_or_hold(pending_instruction p) {
  if (compiled_.exchange(false)) release_held();
  const plan::instruction& i = p.instruction();
  if (std::holds_alternative<plan::horizon_op>(i.action)) return pass_horizon(i);
  if (with_.checks.any() || !has_room(i)) {
    settle();
    return carry_out(std::move(p));
  }
  if (can_go(p) && !held_.concerns(i))
    carry_out(std::move(p));
  else
    hold(std::move(p));
}

void executor::pass_horizon(const plan::instruction& horizon) {
  const auto ended = [&] { return !held_.holds_up_to(events_.last_horizon()) && events_.horizon_reached(); };
  release_until(ended);
  events_.pass_horizon(horizon.id);
}

void executor::hold(pending_instruction p) {
  const plan::instruction& i = p.instruction();
  try {
    work_.reserve(i.id, i.operands);  // memory is given in the order of the plan (rule E2)
  } catch (...) {
    p.failure = std::current_exception();
  }
  if (!p.code.ready())
    continuations_.when_all({p.code.module->finished()}, [this, module = p.code.module] {
      compiled_ = true;
      with_.wake();
    });
  held_.add(std::move(p));
}

bool executor::has_room(const plan::instruction& i) {
  std::vector<std::int64_t> besides(held_.workspace().begin(), held_.workspace().end());
  if (const auto* launch = std::get_if<plan::launch_op>(&i.action))
    besides[static_cast<std::size_t>(launch->place.index)] += launch->workspace;
  return with_.memory.has_room(work_.uses_of(i.operands), besides);
}

bool executor::can_go(const pending_instruction& p) const {
  if (!p.code.ready()) return false;
  const plan::instruction& i = p.instruction();
  const std::vector<event> waits = events_.pending(i.after);
  if (waits.empty()) return true;
  if (p.failure || p.code.failed() || std::holds_alternative<plan::reject_op>(i.action)) return false;
  const auto* send = std::get_if<plan::send_op>(&i.action);
  return std::all_of(with_.devices.begin(), with_.devices.end(), [&](const memory::local_device& d) {
    if (send != nullptr && send->source.is_host() && !d.backend->shares_host_memory()) return false;
    return std::all_of(waits.begin(), waits.end(), [&](const event& e) { return d.backend->can_wait(e); });
  });
}

void executor::release_held() {
  held_.release([&](const pending_instruction& p) { return can_go(p); },
                [&](pending_instruction p) { carry_out(std::move(p)); });
}

void executor::settle() {
  release_until([] { return false; });
}

void executor::carry_out(pending_instruction p) {
  const plan::instruction& i = p.instruction();
  work_.take(std::move(p.watch));
  try {
    if (p.failure) std::rethrow_exception(p.failure);
    std::visit(action_visitor{*this, p, i}, i.action);
  } catch (...) {
    fail(std::current_exception());
  }
}

void executor::fail(const std::exception_ptr& reason) {
  std::unique_ptr<running_instruction> failed = work_.give_back();
  if (!failed) std::rethrow_exception(reason);
  const plan::instruction& i = failed->instruction();
  // What follows relies on this having come after its predecessors.
  const std::vector<event> waits = events_.pending(i.after);
  if (!held_.empty() && !waits.empty()) return held_.add({std::move(failed), {}, {}, reason});
  for (const event& e : waits) e.wait();
  const std::exception_ptr full = with_context(reason, describe(i));
  with_.failures.poison(i.operands, {full, reason});
  if (with_.network.size() > 1) with_.network.abort(cat("rank ", with_.network.rank().value, ": ", what_of(full)));
}

}  // namespace tessera::runtime
