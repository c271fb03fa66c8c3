#include "tessera/base/event.h"

#include <sched.h>

#include <algorithm>
#include <condition_variable>
#include <optional>

#include "tessera/base/threads/progress_engine.h"

namespace tessera {
namespace {

/// A thread that sleeps until one step is reached: the steps before it do not disturb it.
class sleeper final : public host_timeline::waiter {
 public:
  void step_reached() noexcept override {
    // Notifies under the lock: the sleeper is gone as soon as it has seen the flag.
    std::lock_guard lock(mutex_);
    awake_ = true;
    changed_.notify_one();
  }
  void sleep() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return awake_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool awake_ = false;
};

}  // namespace

bool host_timeline::wait_briefly(std::uint64_t step) const {
  // Most waits are short: look for messages, if some are expected, and give the processor away a few times before
  // paying for a sleep and a wake-up.
  constexpr int eager = 64, yields = 32, looks = 200;
  bool expected = progress_engine::any();
  std::optional<progress_engine::polling_scope> polling;
  if (expected) polling.emplace();
  for (int i = 0; i < yields || (expected && i < looks); ++i) {
    expected = expected && progress_engine::poll() != progress_engine::activity::nothing;
    if (reached(step)) return true;
    if (!expected || i >= eager) sched_yield();
  }
  if (polling) polling->stop();
  if (patience_.count() > 0) {
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < patience_) {
      if (reached(step)) return true;
      sched_yield();
    }
  }
  return reached(step);
}

void host_timeline::wait(std::uint64_t step) {
  if (wait_briefly(step)) return;
  sleeper self;
  if (notify(step, self)) self.sleep();
}

void host_timeline::advance(std::uint64_t step) {
  // seq_cst on both sides: either this store is seen by the thread that is about to wait, or its step is seen here.
  reached_.store(step, std::memory_order_seq_cst);
  if (wanted_.load(std::memory_order_seq_cst) > step) return;
  for (waiter* waiting = take_ready(step); waiting != nullptr;) {
    waiter* const next = waiting->next_;  // the call may end it
    waiting->step_reached();
    waiting = next;
  }
}

/// Takes the waiters for steps up to `step` out of the list, in the order they came.
host_timeline::waiter* host_timeline::take_ready(std::uint64_t step) {
  std::lock_guard lock(mutex_);
  waiter* ready = nullptr;
  waiter** ready_end = &ready;
  waiter** kept_end = &first_;
  std::uint64_t wanted = never;
  for (waiter* waiting = first_; waiting != nullptr; waiting = waiting->next_) {
    if (waiting->step_ > step) wanted = std::min(wanted, waiting->step_);
    waiter**& end = waiting->step_ > step ? kept_end : ready_end;
    *end = waiting;
    end = &waiting->next_;
  }
  *ready_end = nullptr;
  *kept_end = nullptr;
  wanted_.store(wanted, std::memory_order_seq_cst);
  return ready;
}

bool host_timeline::notify(std::uint64_t step, waiter& waiting) {
  if (reached(step)) return false;
  std::lock_guard lock(mutex_);
  const std::uint64_t wanted = wanted_.load(std::memory_order_relaxed);
  wanted_.store(std::min(wanted, step), std::memory_order_seq_cst);
  if (reached_.load(std::memory_order_seq_cst) >= step) {
    wanted_.store(wanted, std::memory_order_relaxed);
    return false;
  }
  waiting.step_ = step;
  waiting.next_ = nullptr;
  waiter** end = &first_;
  while (*end != nullptr) end = &(*end)->next_;
  *end = &waiting;
  return true;
}

}  // namespace tessera
