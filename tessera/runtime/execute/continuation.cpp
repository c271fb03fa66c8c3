#include "tessera/runtime/execute/continuation.h"

#include <sched.h>

#include <algorithm>

namespace tessera::runtime {

/// Waits for its events one after the other; deletes itself when done.
class continuation_list::waiting final : public host_timeline::waiter {
 public:
  waiting(continuation_list& owner, std::vector<event> events, std::function<void()> then)
      : owner_(owner), events_(std::move(events)), then_(std::move(then)) {}

  void proceed() noexcept {
    while (!events_.empty()) {
      const event next = events_.back();
      events_.pop_back();
      if (!next.done() && static_cast<host_timeline*>(next.line)->notify(next.step, *this)) return;
    }
    then_();
    then_ = nullptr;
    std::atomic<int>& open = owner_.open_;
    delete this;
    open.fetch_sub(1, std::memory_order_release);
  }
  void step_reached() noexcept override { proceed(); }

 private:
  continuation_list& owner_;
  std::vector<event> events_;
  std::function<void()> then_;
};

continuation_list::~continuation_list() { finish(); }

void continuation_list::when_all(std::vector<event> events, std::function<void()> then) {
  const bool tells = std::all_of(events.begin(), events.end(), [](const event& e) {
    return e.line == nullptr || dynamic_cast<host_timeline*>(e.line) != nullptr;
  });
  if (!tells) {
    polled_.push_back({std::move(events), std::move(then)});
    return;
  }
  open_.fetch_add(1, std::memory_order_relaxed);
  (new waiting(*this, std::move(events), std::move(then)))->proceed();
}

void continuation_list::poll() {
  polled_.remove_if([](polled& p) {
    if (!std::all_of(p.events.begin(), p.events.end(), [](const event& e) { return e.done(); })) return false;
    p.then();
    return true;
  });
}

void continuation_list::finish() {
  while (!polled_.empty() || open_.load(std::memory_order_acquire) != 0) {
    poll();
    sched_yield();
  }
}

}  // namespace tessera::runtime
