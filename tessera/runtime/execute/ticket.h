#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "tessera/base/event.h"
#include "tessera/base/threads/alert_wait.h"
#include "tessera/base/threads/wait_hook.h"

namespace tessera::runtime {

/// What a user's thread holds while it waits: first for the work to be issued, then for its events. Thread-safe; one
/// thread issues, any number wait.
class ticket {
 public:
  void issued(std::vector<event> events) {
    const std::lock_guard lock(state_->mutex);
    events_ = std::move(events);
    is_issued_.store(true, std::memory_order_release);
    state_->changed.notify_all();
  }

  /// Blocks until all the work behind the ticket has ended, or `give_up` is called. Calls the wait hook, which may
  /// throw.
  void wait() {
    wait_by([](auto& changed, auto& lock, auto arrived) { wait_with_hook(changed, lock, arrived); });
  }
  /// As `wait`, without the hook: for destructors.
  void wait_for_good() {
    wait_by([](auto& changed, auto& lock, auto arrived) { changed.wait(lock, arrived); });
  }

  /// Releases the threads that wait, although the work has not ended and may never end.
  void give_up() {
    const std::lock_guard lock(state_->mutex);
    state_->given_up = true;
    state_->changed.notify_all();
  }

  /// Whether `wait` would return at once.
  [[nodiscard]] bool done() {
    const std::lock_guard lock(state_->mutex);
    if (!is_issued_) return state_->given_up;
    for (const event& e : events_)
      if (!e.done()) return state_->given_up;
    return true;
  }

 private:
  /// Outlives the ticket if the work does.
  struct shared {
    std::mutex mutex;
    std::condition_variable changed;
    bool given_up = false;
  };
  /// Wakes the threads that wait when a step is reached; deletes itself then.
  class notifier final : public host_timeline::waiter {
   public:
    explicit notifier(std::shared_ptr<shared> state) : state_(std::move(state)) {}
    void step_reached() noexcept override {
      {
        const std::lock_guard lock(state_->mutex);
        state_->changed.notify_all();
      }
      delete this;
    }

   private:
    std::shared_ptr<shared> state_;
  };

  /// `block(condition variable, lock, predicate)` waits for the predicate.
  template <class Block>
  void wait_by(Block block) {
    static_cast<void>(wait_alert([&] { return is_issued_.load(std::memory_order_acquire); }));
    std::unique_lock lock(state_->mutex);
    block(state_->changed, lock, [&] { return is_issued_ || state_->given_up; });
    for (const event& e : events_) {
      if (state_->given_up) return;
      lock.unlock();
      wait_for(e, block);
      lock.lock();
    }
  }

  template <class Block>
  void wait_for(const event& e, Block block) {
    auto* const line = dynamic_cast<host_timeline*>(e.line);
    if (line == nullptr) return e.wait();
    if (line->wait_briefly(e.step)) return;
    auto wake = std::make_unique<notifier>(state_);
    if (!line->notify(e.step, *wake)) return;
    static_cast<void>(wake.release());  // it deletes itself
    std::unique_lock lock(state_->mutex);
    block(state_->changed, lock, [&] { return e.done() || state_->given_up; });
  }

  std::shared_ptr<shared> state_ = std::make_shared<shared>();
  std::vector<event> events_;
  std::atomic<bool> is_issued_{false};  // changed under the lock
};

/// Tickets by number, so that tasks and instructions can name them. Thread-safe.
class ticket_table {
 public:
  /// The number by which the ticket can be taken.
  std::uint64_t add(std::shared_ptr<ticket> t) {
    std::lock_guard lock(mutex_);
    if (released_) t->give_up();
    open_.emplace(++last_, std::move(t));
    return last_;
  }
  /// Null if there is none of that number, or it was taken before.
  std::shared_ptr<ticket> take(std::uint64_t number) {
    std::lock_guard lock(mutex_);
    const auto found = open_.find(number);
    if (found == open_.end()) return nullptr;
    auto result = std::move(found->second);
    open_.erase(found);
    std::erase_if(issued_, [](const auto& t) { return t.expired(); });
    issued_.push_back(result);
    return result;
  }
  /// Releases the threads that wait for any ticket, also one that is added later: nothing will be issued any more, and
  /// what was issued may never end.
  void release_all() {
    std::lock_guard lock(mutex_);
    for (auto& [number, t] : open_) t->give_up();
    for (auto& t : issued_)
      if (const auto waiting = t.lock()) waiting->give_up();
    open_.clear();
    released_ = true;
  }

 private:
  std::mutex mutex_;
  std::uint64_t last_ = 0;
  bool released_ = false;
  std::unordered_map<std::uint64_t, std::shared_ptr<ticket>> open_;
  std::vector<std::weak_ptr<ticket>> issued_;  // some of them gone
};

}  // namespace tessera::runtime
