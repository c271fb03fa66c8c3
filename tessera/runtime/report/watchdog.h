#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace tessera::runtime {

/// Looks now and then whether work that is pending makes progress, and reports once if it has made none for too long.
class watchdog {
 public:
  struct observation {
    bool pending = false;        ///< Something was asked for and has not ended.
    std::uint64_t progress = 0;  ///< Changes with everything that begins or ends.
  };

  /// Both functions are called on a thread of its own: `look` again and again, `report` when what is pending has made
  /// no progress for `timeout`, at most once. A timeout of zero: neither is ever called.
  watchdog(std::chrono::nanoseconds timeout, std::function<observation()> look, std::function<void()> report);
  ~watchdog();
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;

 private:
  void run();

  const std::chrono::nanoseconds timeout_;
  const std::function<observation()> look_;
  const std::function<void()> report_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace tessera::runtime
