#pragma once

#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <span>
#include <thread>

#include "tests/fuzz/program/program.h"
#include "tests/fuzz/reference/reference.h"

namespace tessera::fuzz {

/// Ends the process when a program takes too long, and names the programs under way when it crashes.
class watchdog {
 public:
  watchdog(std::uint64_t seed, std::chrono::seconds limit);
  ~watchdog();
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;

  /// While one exists, its program is under way. Program and outcomes are borrowed.
  class watch {
   public:
    watch(watchdog& guard, std::uint64_t index, const program& p, std::span<const outcome> expected);
    ~watch();
    watch(const watch&) = delete;
    watch& operator=(const watch&) = delete;

   private:
    friend class watchdog;
    watchdog& guard_;
    std::uint64_t index_;
    const program& program_;
    std::span<const outcome> expected_;
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
