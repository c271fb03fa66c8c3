#include "tessera/device/host/strand.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <typeinfo>
#include <utility>

#include "tessera/base/defects.h"
#include "tessera/base/error.h"

namespace tessera::device {
namespace {

/// A well mixed number from a seed and two counters (splitmix64).
std::uint64_t mix(std::uint64_t seed, std::uint64_t salt, std::uint64_t step) {
  std::uint64_t x = seed + 0x9e3779b97f4a7c15u * (salt + 1) + 0xd1b54a32d192ed03u * step;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace

strand::strand(operation_runner& runner, const random_delays& disturbance, std::uint64_t salt, bool copies)
    : job(copies),
      runner_(runner),
      copies_(copies),
      pool_(worker_pool::instance()),
      disturbance_(disturbance),
      salt_(salt),
      team_(worker_team::make(runner.cores(), *this)) {}

strand::~strand() {
  while (pool_.stopped() && pending_.load(std::memory_order_acquire) != 0)
    if (!pool_.run_abandoned()) std::this_thread::yield();
  line_.wait(issued_);
  // The last runner reaches the event first and lets go of the strand a moment later.
  while (pending_.load(std::memory_order_acquire) != 0) std::this_thread::yield();
}

bool strand::can_wait(const event& e) noexcept {
  if (e.line == nullptr) return true;
  const timeline& line = *e.line;
  return typeid(line) == typeid(host_timeline);
}

event strand::enqueue(const order& ordering, work&& verb) {
  wait_list waits;
  for (const event& e : ordering.after) {
    if (e.line == &line_ || e.done()) continue;
    if (!can_wait(e)) throw argument_error("a host queue was asked to wait for an event of another kind of device");
    if (planted("wait_lost") && &e != &ordering.after.front()) continue;
    waits.add(e);
  }
  std::uint64_t step = 0;
  {
    std::lock_guard lock(producers_);
    step = issued_ + 1;
    operations_.push(std::move(verb), std::move(waits), ordering.watch, step);
    issued_ = step;
  }
  if (pending_.fetch_add(1, std::memory_order_acq_rel) == 0) pool_.schedule(*this);
  return {&line_, step};
}

void strand::run() noexcept {
  begin_turn();
  if (known_ == 0) known_ = pending_.load(std::memory_order_acquire);
  proceed();
}

void strand::team_ended(std::exception_ptr reason) noexcept {
  begin_turn();
  if (complete(reason)) proceed();
}

/// From here on, a function that returns false has let go of the strand: another thread may run or destroy it.
void strand::proceed() noexcept {
  for (;;) {
    operation& op = operations_.front();
    if (!wait_for_events(op)) return;
    if (disturbance_.max_delay_ns > 0 && postpone(op)) return;
    pool_.share_kept();
    if (!copies_ && pool_.wants_way()) return pool_.schedule_last(*this);
    if (!perform(op)) return;
    if (turn_over()) return;
  }
}

bool strand::wait_for_events(operation& op) noexcept {
  for (; !op.waits.over(); op.waits.pop()) {
    const event& e = op.waits.front();
    if (static_cast<host_timeline*>(e.line)->notify(e.step, *this)) return false;
  }
  return true;
}

/// True if the operation's delay is not over; the strand then queues up behind others that are ready.
bool strand::postpone(const operation& op) noexcept {
  constexpr auto nap = std::chrono::microseconds(20);
  const auto now = clock::now();
  if (delayed_step_ != op.step) {
    const auto bound = static_cast<std::uint64_t>(disturbance_.max_delay_ns) + 1;
    const auto delay = static_cast<std::int64_t>(mix(disturbance_.seed, salt_, op.step) % bound);
    delayed_step_ = op.step;
    delayed_until_ = now + std::chrono::nanoseconds(delay);
  }
  if (now >= delayed_until_) return false;
  if (!pool_.busy()) std::this_thread::sleep_for(std::min<clock::duration>(nap, delayed_until_ - now));
  pool_.share_kept();
  pool_.schedule_last(*this);
  return true;
}

bool strand::perform(operation& op) noexcept {
  std::exception_ptr reason;
  if (op.watch != nullptr) {
    if (!op.watch->admit()) {
      op.watch = nullptr;
      return complete(nullptr);
    }
    op.watch->started();
  }
  try {
    if (!runner_.execute(op.verb, *team_)) return false;
  } catch (...) {
    reason = std::current_exception();
  }
  return complete(reason);
}

bool strand::complete(const std::exception_ptr& reason) noexcept {
  const worker_pool::keep_scope keep;
  const operation& op = operations_.front();
  if (op.watch != nullptr) reason ? op.watch->failed(reason) : op.watch->ended();
  const std::uint64_t step = op.step;
  operations_.pop();
  line_.advance(step);
  if (++ended_ < known_) return true;
  const std::uint64_t ended = std::exchange(ended_, 0);
  known_ = 0;
  const std::uint64_t before = pending_.fetch_sub(ended, std::memory_order_acq_rel);
  if (before == ended) return false;
  known_ = before - ended;
  return true;
}

/// True if the strand went to the end of the line, so that the others get their turn.
bool strand::turn_over() noexcept {
  constexpr int max_operations = 64;
  constexpr auto max_time = std::chrono::microseconds(200);
  ++turn_;
  if (!pool_.busy()) return false;
  if (turn_ < max_operations) {
    const auto now = clock::now();
    if (others_since_ == clock::time_point{}) others_since_ = now;
    if (now - others_since_ < max_time) return false;
  }
  pool_.share_kept();
  pool_.schedule_last(*this);
  return true;
}

}  // namespace tessera::device
