#pragma once

#include <sched.h>

#include <atomic>

namespace tessera::device {

/// Tells the processor that this is a busy wait.
inline void relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// For sections of a few instructions: cheaper than a mutex, and a waiter whose holder lost its processor gives its own
/// away.
class spin_lock {
 public:
  void lock() noexcept {
    constexpr int pauses = 64;
    for (int tries = 0; taken_.exchange(true, std::memory_order_acquire); ++tries)
      tries < pauses ? relax() : static_cast<void>(sched_yield());
  }
  [[nodiscard]] bool try_lock() noexcept { return !taken_.exchange(true, std::memory_order_acquire); }
  void unlock() noexcept { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken_{false};
};

}  // namespace tessera::device
