#include "tessera/runtime/report/watchdog.h"

#include <algorithm>
#include <utility>

#include "tessera/base/threads/thread_name.h"

namespace tessera::runtime {

watchdog::watchdog(std::chrono::nanoseconds timeout, std::function<observation()> look, std::function<void()> report)
    : timeout_(timeout), look_(std::move(look)), report_(std::move(report)) {
  if (timeout_.count() > 0) thread_ = std::thread([this] { run(); });
}

watchdog::~watchdog() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void watchdog::run() {
  name_this_thread("tessera watch");
  using clock = std::chrono::steady_clock;
  const auto step =
      std::clamp<std::chrono::nanoseconds>(timeout_ / 8, std::chrono::milliseconds(1), std::chrono::seconds(5));
  observation last = look_();
  clock::time_point since = clock::now();
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, step, [&] { return stopping_; })) {
    const observation now = look_();
    if (!now.pending || now.progress != last.progress) last = now, since = clock::now();
    if (clock::now() - since < timeout_) continue;
    lock.unlock();
    report_();
    return;
  }
}

}  // namespace tessera::runtime
