#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <span>
#include <string>
#include <thread>

#include "tessera/device/cuda/queue.h"

namespace tessera::device::cuda {

/// Watches all queues of a backend: tells observers what has ended, puts held operations on their streams, and finds
/// GPUs that a kernel broke or that a kernel never leaves. Spins while queues advance, sleeps when there is nothing.
class completion_thread {
 public:
  /// `queues` outlive it. A kernel that runs longer than `timeout` gives up its GPU; zero: never.
  completion_thread(std::span<stream_queue* const> queues, std::chrono::nanoseconds timeout);
  /// Waits until everything has ended or failed.
  ~completion_thread();
  completion_thread(const completion_thread&) = delete;
  completion_thread& operator=(const completion_thread&) = delete;

  /// To be called after every enqueue.
  void wake();

 private:
  void run();
  bool poll_all();
  [[nodiscard]] bool all_idle() const;
  void sleep_until_woken();
  void look_after_gpus();
  void give_up(gpu& lost, const std::string& what_happened);
  [[nodiscard]] std::string suspects(const gpu& lost) const;

  std::span<stream_queue* const> queues_;
  const std::chrono::nanoseconds timeout_;
  std::mutex mutex_;
  std::condition_variable woken_;
  std::atomic<bool> asleep_{false};
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace tessera::device::cuda
