#pragma once

#include <mutex>

namespace tessera::memory {

/// The one mutex of memory/. It guards the span table, the pools of the devices, pages and their images, and all
/// counters. Events are never waited for while it is held: what is waited for may need it to happen.
class memory_mutex {
 public:
  /// True while the holder waits in `memory_lock::wait_with_pages`: another thread that takes the mutex meanwhile must
  /// leave every page where it is.
  [[nodiscard]] bool pages_stay() const { return pages_stay_; }

 private:
  friend class memory_lock;
  std::mutex mutex_;
  bool pages_stay_ = false;
};

/// Holds the mutex, except while it waits.
class memory_lock {
 public:
  explicit memory_lock(memory_mutex& mutex) : mutex_(mutex), held_(mutex.mutex_) {}

  /// Calls `wait` without the mutex. Arrays that are released meanwhile may lose their pages.
  template <class Wait>
  void wait(Wait wait) {
    held_.unlock();
    wait();
    held_.lock();
  }
  /// Calls `wait` without the mutex; pages stay where they are meanwhile.
  template <class Wait>
  void wait_with_pages(Wait wait) {
    mutex_.pages_stay_ = true;
    held_.unlock();
    wait();
    held_.lock();
    mutex_.pages_stay_ = false;
  }

 private:
  memory_mutex& mutex_;
  std::unique_lock<std::mutex> held_;
};

}  // namespace tessera::memory
