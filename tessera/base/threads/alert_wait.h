#pragma once

#include <sched.h>

#include <chrono>
#include <thread>

namespace tessera {

/// True if threads that wait may keep a processor busy without taking it from others.
[[nodiscard]] inline bool has_cores_to_spare() noexcept {
  static const bool spare = std::thread::hardware_concurrency() > 4;
  return spare;
}

/// Looks for `arrived()`, giving the processor away between looks, for as long as work usually takes to follow other
/// work where there are cores to spare, a few times elsewhere: a sleeping thread is woken some 50 us late. True if it
/// came; if not, it is time to sleep.
template <class Arrived>
[[nodiscard]] bool wait_alert(Arrived arrived) {
  constexpr int yields = 64;
  constexpr auto alert = std::chrono::milliseconds(1);
  for (int i = 0; i < yields; ++i) {
    if (arrived()) return true;
    sched_yield();
  }
  if (!has_cores_to_spare()) return arrived();
  for (const auto begin = std::chrono::steady_clock::now(); std::chrono::steady_clock::now() - begin < alert;) {
    if (arrived()) return true;
    sched_yield();
  }
  return arrived();
}

}  // namespace tessera
