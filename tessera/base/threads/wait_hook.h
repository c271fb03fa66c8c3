#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace tessera {

/// What threads of the program do while a call of theirs is blocked: called each 50 ms, on the thread that waits, with
/// no lock of Tessera held. It may throw: the wait then ends with its exception, what was waited for goes on, and the
/// context stays usable (rule H46). Threads of Tessera never call it.
using wait_hook = void (*)();

/// Replaces the hook of all contexts of the process; null: none.
void set_wait_hook(wait_hook hook) noexcept;
[[nodiscard]] wait_hook current_wait_hook() noexcept;

/// Waits for `arrived` with `lock` held, and calls the hook, if there is one.
template <class Arrived>
void wait_with_hook(std::condition_variable& changed, std::unique_lock<std::mutex>& lock, Arrived arrived) {
  constexpr auto interval = std::chrono::milliseconds(50);
  const wait_hook hook = current_wait_hook();
  if (hook == nullptr) return changed.wait(lock, arrived);
  while (!changed.wait_for(lock, interval, arrived)) {
    lock.unlock();
    hook();
    lock.lock();
  }
}

}  // namespace tessera
