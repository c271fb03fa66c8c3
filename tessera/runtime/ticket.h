#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "tessera/base/event.h"

namespace tessera::runtime {

/// What a user's thread holds while it waits: first for the work to be issued, then for its events.
class ticket {
 public:
  void issued(std::vector<event> events) {
    std::lock_guard lock(mutex_);
    events_ = std::move(events);
    issued_ = true;
    changed_.notify_all();
  }

  /// Blocks until all the work behind the ticket has ended.
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return issued_; });
    lock.unlock();
    for (const event& e : events_) e.wait();
  }

  [[nodiscard]] bool done() {
    std::lock_guard lock(mutex_);
    if (!issued_) return false;
    for (const event& e : events_)
      if (!e.done()) return false;
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<event> events_;
  bool issued_ = false;
};

/// Tickets by number, so that tasks and instructions can name them. Thread-safe.
class ticket_table {
 public:
  std::uint64_t add(std::shared_ptr<ticket> t) {
    std::lock_guard lock(mutex_);
    open_.emplace(++last_, std::move(t));
    return last_;
  }
  std::shared_ptr<ticket> take(std::uint64_t number) {
    std::lock_guard lock(mutex_);
    const auto found = open_.find(number);
    if (found == open_.end()) return nullptr;
    auto result = std::move(found->second);
    open_.erase(found);
    return result;
  }
  /// Releases everybody: nothing will be issued any more.
  void release_all() {
    std::lock_guard lock(mutex_);
    for (auto& [number, t] : open_) t->issued({});
    open_.clear();
  }

 private:
  std::mutex mutex_;
  std::uint64_t last_ = 0;
  std::unordered_map<std::uint64_t, std::shared_ptr<ticket>> open_;
};

}  // namespace tessera::runtime
