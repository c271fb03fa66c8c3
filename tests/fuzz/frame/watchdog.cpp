#include "tests/fuzz/frame/watchdog.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace tessera::fuzz {
namespace {

// What a signal handler can read: the numbers of the programs under way, plus one.
constexpr std::size_t places = 64;
std::array<std::atomic<std::uint64_t>, places> under_way{};

void write_text(const char* text, std::size_t length) { (void)!write(STDOUT_FILENO, text, length); }

void write_number(std::uint64_t n) {
  std::array<char, 24> digits{};
  std::size_t at = digits.size();
  do digits[--at] = static_cast<char>('0' + n % 10);
  while ((n /= 10) != 0);
  write_text(digits.data() + at, digits.size() - at);
}

extern "C" void name_programs(int signal) {
  constexpr std::string_view begin = "program ", end = " may have crashed\n";
  for (const auto& index : under_way) {
    if (index == 0) continue;
    write_text(begin.data(), begin.size());
    write_number(index - 1);
    write_text(end.data(), end.size());
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void catch_crashes() {
  if (!watchdog::names_crashes) return;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(signal, name_programs);
}

int take_place(std::uint64_t index) {
  for (std::size_t i = 0; i < places; ++i) {
    std::uint64_t none = 0;
    if (under_way[i].compare_exchange_strong(none, index + 1)) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
const bool watchdog::names_crashes = false;
#else
const bool watchdog::names_crashes = true;
#endif

watchdog::watch::watch(watchdog& guard, std::uint64_t index, const random_program& p)
    : guard_(guard),
      index_(index),
      program_(p),
      deadline_(std::chrono::steady_clock::now() + guard.limit_),
      place_(take_place(index)) {
  const std::lock_guard lock(guard_.mutex_);
  guard_.watches_.push_back(this);
}

watchdog::watch::~watch() {
  const std::lock_guard lock(guard_.mutex_);
  guard_.watches_.remove(this);
  if (place_ >= 0) under_way[static_cast<std::size_t>(place_)] = 0;
}

watchdog::watchdog(std::uint64_t seed, std::chrono::seconds limit) : seed_(seed), limit_(limit) {
  catch_crashes();
  thread_ = std::thread([this] { look(); });
}

watchdog::~watchdog() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stopped_.notify_all();
  thread_.join();
}

void watchdog::look() {
  std::unique_lock lock(mutex_);
  while (!stopped_.wait_for(lock, std::chrono::milliseconds(200), [this] { return stop_; })) {
    for (const watch* w : watches_) {
      if (std::chrono::steady_clock::now() < w->deadline_) continue;
      std::printf("program %llu of seed %llu hangs\n%s\n0 passed, 1 failed\n",
                  static_cast<unsigned long long>(w->index_), static_cast<unsigned long long>(seed_),
                  w->program_.print(std::nullopt).c_str());
      std::fflush(stdout);
      std::signal(SIGABRT, SIG_DFL);
      std::abort();
    }
  }
}

}  // namespace tessera::fuzz
