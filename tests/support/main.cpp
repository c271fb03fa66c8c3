#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#ifdef __SANITIZE_ADDRESS__
#include <chrono>
#include <filesystem>
#include <thread>

namespace {

/// Made before all other static objects of a test and so destroyed after them. LeakSanitizer runs behind it, looks at
/// all threads that the system lists, and now and then crashes on one that has just been joined and is not gone yet.
struct last_thread {
  ~last_thread() {
    constexpr int tries = 1000;
    const auto threads = [] {
      std::error_code failed;
      return std::distance(std::filesystem::directory_iterator("/proc/self/task", failed), {});
    };
    for (int k = 0; k < tries && threads() > 1; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
} const behind_all_others;

}  // namespace
#endif
