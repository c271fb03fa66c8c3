#pragma once

#include <cstddef>

/// What the sanitizers must be told about memory and stacks that this library manages itself. Without them, nothing.

#if defined(__SANITIZE_ADDRESS__)
#define TESSERA_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TESSERA_ADDRESS_SANITIZER 1
#endif
#endif

#if defined(__SANITIZE_THREAD__)
#define TESSERA_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TESSERA_THREAD_SANITIZER 1
#endif
#endif

#ifdef TESSERA_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef TESSERA_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace tessera::device {

#ifdef TESSERA_ADDRESS_SANITIZER
inline constexpr bool address_sanitizer = true;
#else
inline constexpr bool address_sanitizer = false;
#endif

/// One stack as the sanitizers see it. `leave` is called before and `arrive` after every switch.
class sanitized_stack {
 public:
  void create([[maybe_unused]] const void* bottom, [[maybe_unused]] std::size_t size) {
#ifdef TESSERA_ADDRESS_SANITIZER
    bottom_ = bottom;
    size_ = size;
#endif
#ifdef TESSERA_THREAD_SANITIZER
    fiber_ = __tsan_create_fiber(0);
#endif
  }
  /// For the stack that the thread itself runs on.
  void adopt_current() {
#ifdef TESSERA_THREAD_SANITIZER
    fiber_ = __tsan_get_current_fiber();
#endif
  }
  void destroy() {
#ifdef TESSERA_THREAD_SANITIZER
    __tsan_destroy_fiber(fiber_);
#endif
  }
  /// About to be used from its top again, while another stack runs: forgets the frames that never returned.
  void renew() {
#ifdef TESSERA_ADDRESS_SANITIZER
    __asan_unpoison_memory_region(bottom_, size_);
#endif
#ifdef TESSERA_THREAD_SANITIZER
    if (++uses_ % uses_per_fiber != 0) return;
    destroy();
    fiber_ = __tsan_create_fiber(0);
#endif
  }
  /// About to run on `to`. `for_good`: this stack's contents are not needed again.
  void leave([[maybe_unused]] sanitized_stack& to, [[maybe_unused]] bool for_good) {
#ifdef TESSERA_ADDRESS_SANITIZER
    __sanitizer_start_switch_fiber(for_good ? nullptr : &fake_, to.bottom_, to.size_);
    if (for_good) fake_ = nullptr;
#endif
#ifdef TESSERA_THREAD_SANITIZER
    __tsan_switch_to_fiber(to.fiber_, 0);
#endif
  }
  /// Now running on this stack; `from` is the one that was left.
  void arrive([[maybe_unused]] sanitized_stack& from) {
#ifdef TESSERA_ADDRESS_SANITIZER
    __sanitizer_finish_switch_fiber(fake_, &from.bottom_, &from.size_);
#endif
  }

#ifdef TESSERA_ADDRESS_SANITIZER
 private:
  const void* bottom_ = nullptr;
  std::size_t size_ = 0;
  void* fake_ = nullptr;
#endif
#ifdef TESSERA_THREAD_SANITIZER
 private:
  // The sanitizer writes the frames of a fiber to a list of 65536, without a look at its end; every use leaves a few
  // there that never return.
  static constexpr unsigned uses_per_fiber = 4096;

  void* fiber_ = nullptr;
  unsigned uses_ = 0;
#endif
};

}  // namespace tessera::device
