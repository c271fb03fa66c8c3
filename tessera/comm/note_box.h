#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "tessera/base/ids.h"

namespace tessera::comm {

/// Notes for one rank: kept until there is a listener, then handed on one at a time, without a lock. Thread-safe.
class note_box {
 public:
  using listener = std::function<void(node_id from, std::span<const std::byte> note)>;

  /// Null: notes are kept; the listener before is not called after this returns. Not to be called by a listener.
  void listen(listener next) {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [&] { return !handing_on_; });
    listener_ = std::move(next);
    hand_on(lock);
  }
  void deliver(node_id from, std::span<const std::byte> note) {
    std::unique_lock lock(mutex_);
    kept_.emplace_back(from, std::vector<std::byte>(note.begin(), note.end()));
    hand_on(lock);
  }

 private:
  /// One thread at a time calls the listener; it takes over the notes that other threads deliver meanwhile.
  void hand_on(std::unique_lock<std::mutex>& lock) {
    if (handing_on_ || !listener_) return;
    handing_on_ = true;
    while (!kept_.empty()) {
      const auto [from, note] = std::move(kept_.front());
      kept_.pop_front();
      lock.unlock();
      listener_(from, note);
      lock.lock();
    }
    handing_on_ = false;
    idle_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable idle_;
  bool handing_on_ = false;
  listener listener_;
  std::deque<std::pair<node_id, std::vector<std::byte>>> kept_;
};

}  // namespace tessera::comm
