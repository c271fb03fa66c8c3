#pragma once

#include <sched.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

#include "tessera/base/threads/alert_wait.h"
#include "tessera/base/threads/wait_hook.h"

namespace tessera::runtime {

/// Hands values from any thread to one consumer thread, in order and in batches. While it holds `capacity` values or
/// more, a thread that pushes waits, which keeps memory flat however far ahead a program runs.
template <class T>
class channel {
 public:
  explicit channel(std::size_t capacity) : capacity_(capacity) {}

  /// False if the channel is closed.
  bool push(T value) {
    std::unique_lock lock(mutex_);
    if (values_.size() >= capacity_) room_.wait(lock, [&] { return values_.size() < capacity_ || closed_; });
    if (closed_) return false;
    values_.push_back(std::move(value));
    count_.store(values_.size(), std::memory_order_release);
    if (sleeping_) arrival_.notify_one();
    return true;
  }

  /// Waits until `push` would not, for a thread of the program: calls the wait hook, which may throw.
  void wait_for_room() {
    if (count_.load(std::memory_order_relaxed) < capacity_) return;
    std::unique_lock lock(mutex_);
    wait_with_hook(room_, lock, [&] { return values_.size() < capacity_ || closed_; });
  }

  /// Pushes all of `values` at once, which are moved from; waits for room for the first one. False if the channel is
  /// closed.
  bool push_all(std::vector<T>& values) {
    std::unique_lock lock(mutex_);
    if (values_.size() >= capacity_) room_.wait(lock, [&] { return values_.size() < capacity_ || closed_; });
    if (closed_) return false;
    for (T& v : values) values_.push_back(std::move(v));
    values.clear();
    count_.store(values_.size(), std::memory_order_release);
    if (sleeping_) arrival_.notify_one();
    return true;
  }

  /// Says that something will be pushed soon: a consumer that sleeps gets up while it is still being made.
  void expect() {
    if (!sleeping_.load(std::memory_order_relaxed)) return;
    std::lock_guard lock(mutex_);
    expected_ = true;
    arrival_.notify_one();
  }

  /// Has the consumer return from `pop_all`, with nothing if there is nothing.
  void wake() {
    const std::lock_guard lock(mutex_);
    woken_ = true;
    arrival_.notify_one();
  }

  /// How many values there are.
  [[nodiscard]] std::size_t size() const noexcept { return count_.load(std::memory_order_relaxed); }
  /// True if the consumer has nothing to do.
  [[nodiscard]] bool awaited() const noexcept { return waiting_.load(std::memory_order_relaxed); }

  /// Takes everything there is into `batch`, waiting for something or for `wake`. False once closed and empty.
  bool pop_all(std::vector<T>& batch) {
    batch.clear();
    waiting_.store(true, std::memory_order_relaxed);
    static_cast<void>(wait_alert([&] { return count_.load(std::memory_order_acquire) > 0 || woken_ || closed_; }));
    std::unique_lock lock(mutex_);
    while (values_.empty() && !closed_ && !woken_) {
      sleeping_ = true;
      arrival_.wait(lock, [&] { return !values_.empty() || closed_ || woken_ || expected_; });
      sleeping_ = false;
      if (!std::exchange(expected_, false) || !values_.empty()) continue;
      lock.unlock();
      look_out();
      lock.lock();
    }
    waiting_.store(false, std::memory_order_relaxed);
    const bool was_full = values_.size() >= capacity_;
    batch.swap(values_);
    count_.store(0, std::memory_order_relaxed);
    if (was_full) room_.notify_all();
    const bool woken = woken_.exchange(false);
    return !batch.empty() || (woken && !closed_);
  }

  /// Takes what there is without waiting for anything.
  void take(std::vector<T>& batch) {
    batch.clear();
    if (count_.load(std::memory_order_acquire) == 0) return;
    const std::lock_guard lock(mutex_);
    const bool was_full = values_.size() >= capacity_;
    batch.swap(values_);
    count_.store(0, std::memory_order_relaxed);
    if (was_full) room_.notify_all();
  }

  /// Nothing is pushed any more: threads that wait return.
  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    arrival_.notify_all();
    room_.notify_all();
  }

 private:
  /// Waits for what is expected for as long as it usually takes.
  void look_out() const {
    constexpr auto timeout = std::chrono::milliseconds(2);
    const auto begin = std::chrono::steady_clock::now();
    while (count_.load(std::memory_order_acquire) == 0 && std::chrono::steady_clock::now() - begin < timeout)
      sched_yield();
  }

  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable arrival_, room_;
  std::vector<T> values_;
  std::atomic<std::size_t> count_{0};
  std::atomic<bool> waiting_{false};   // the consumer does
  std::atomic<bool> sleeping_{false};  // changed under the lock
  bool expected_ = false;
  std::atomic<bool> woken_{false};  // changed under the lock, as the next one
  std::atomic<bool> closed_{false};
};

}  // namespace tessera::runtime
