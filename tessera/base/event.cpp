#include "tessera/base/event.h"

#include <sched.h>

namespace tessera {

void host_timeline::wait(std::uint64_t step) {
  // Most waits are short: give the processor away a few times before paying for a sleep and a wake-up.
  constexpr int yields = 32;
  for (int i = 0; i < yields; ++i) {
    if (reached(step)) return;
    sched_yield();
  }
  std::unique_lock lock(mutex_);
  waiting_.fetch_add(1, std::memory_order_seq_cst);
  changed_.wait(lock, [&] { return reached_.load(std::memory_order_seq_cst) >= step; });
  waiting_.fetch_sub(1, std::memory_order_relaxed);
}

void host_timeline::advance(std::uint64_t step) {
  // seq_cst on both sides: either this store is seen by whoever is about to wait, or its count is seen here.
  reached_.store(step, std::memory_order_seq_cst);
  if (waiting_.load(std::memory_order_seq_cst) == 0) return;

  std::vector<waiter*> ready;
  {
    std::lock_guard lock(mutex_);
    std::erase_if(waiters_, [&](const entry& e) {
      if (e.step > step) return false;
      ready.push_back(e.who);
      return true;
    });
    waiting_.fetch_sub(static_cast<int>(ready.size()), std::memory_order_relaxed);
    changed_.notify_all();
  }
  for (waiter* who : ready) who->step_reached();
}

bool host_timeline::notify(std::uint64_t step, waiter& who) {
  if (reached(step)) return false;
  std::lock_guard lock(mutex_);
  waiting_.fetch_add(1, std::memory_order_seq_cst);
  if (reached_.load(std::memory_order_seq_cst) >= step) {
    waiting_.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  waiters_.push_back({step, &who});
  return true;
}

}  // namespace tessera
