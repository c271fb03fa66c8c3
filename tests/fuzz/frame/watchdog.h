#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <mutex>
#include <thread>

#include "tests/fuzz/frame/subject.h"

namespace tessera::fuzz {

/// Ends the process with SIGABRT when a program takes too long, after it was named and printed, and names the programs
/// under way when the process crashes. Looks from a thread of its own.
class watchdog {
 public:
  /// False where a sanitizer handles crashes: no program is named then.
  static const bool names_crashes;

  watchdog(std::uint64_t seed, std::chrono::seconds limit);
  ~watchdog();
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;

  /// While one exists, its program is under way. The program is borrowed.
  class watch {
   public:
    watch(watchdog& guard, std::uint64_t index, const random_program& p);
    ~watch();
    watch(const watch&) = delete;
    watch& operator=(const watch&) = delete;

   private:
    friend class watchdog;
    watchdog& guard_;
    std::uint64_t index_;
    const random_program& program_;
    std::chrono::steady_clock::time_point deadline_;
    int place_;
  };

 private:
  void look();

  const std::uint64_t seed_;
  const std::chrono::seconds limit_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  std::list<const watch*> watches_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace tessera::fuzz
