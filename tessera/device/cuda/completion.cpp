#include "tessera/device/cuda/completion.h"

#include <sched.h>

#include <algorithm>
#include <set>

#include "tessera/base/error.h"
#include "tessera/base/log.h"
#include "tessera/base/text.h"
#include "tessera/base/threads/alert_wait.h"
#include "tessera/base/threads/thread_name.h"
#include "tessera/device/cuda/driver.h"
#include "tessera/device/host/spin.h"

namespace tessera::device::cuda {
namespace {

constexpr int busy_turns = 2000;  // without news, before the processor is offered to others
constexpr auto between_looks = std::chrono::milliseconds(2);
constexpr int polite_looks = 10;  // without news, before the thread sleeps now and then
constexpr auto nap = std::chrono::microseconds(50);

}  // namespace

completion_thread::completion_thread(std::span<stream_queue* const> queues, std::chrono::nanoseconds timeout)
    : queues_(queues), timeout_(timeout), thread_([this] { run(); }) {}

completion_thread::~completion_thread() {
  stopping_.store(true, std::memory_order_seq_cst);
  {
    const std::lock_guard lock(mutex_);
    woken_.notify_one();
  }
  thread_.join();
}

void completion_thread::wake() {
  // Either this sees that the thread is asleep, or the thread sees the new operation before it falls asleep.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!asleep_.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(mutex_);
  woken_.notify_one();
}

bool completion_thread::all_idle() const {
  return std::all_of(queues_.begin(), queues_.end(), [](const stream_queue* q) { return q->idle(); });
}

bool completion_thread::poll_all() {
  bool moved = false;
  for (stream_queue* q : queues_) moved = q->poll() || moved;
  return moved;
}

void completion_thread::sleep_until_woken() {
  std::unique_lock lock(mutex_);
  asleep_.store(true, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  woken_.wait(lock, [&] { return stopping_.load(std::memory_order_relaxed) || !all_idle(); });
  asleep_.store(false, std::memory_order_relaxed);
}

void completion_thread::run() {
  name_this_thread("tessera gpus");
  auto looked = std::chrono::steady_clock::now();
  int turns = 0, looks = 0;
  while (true) {
    if (poll_all()) {
      turns = looks = 0;
    } else if (++turns < busy_turns) {
      relax();
    } else if (all_idle()) {
      if (stopping_.load(std::memory_order_relaxed)) return;
      const auto disturbed = [&] { return stopping_.load(std::memory_order_relaxed) || !all_idle(); };
      if (!wait_alert(disturbed)) sleep_until_woken();
      turns = looks = 0;
    } else {
      if (const auto now = std::chrono::steady_clock::now(); now - looked > between_looks) {
        looked = now;
        ++looks;
        look_after_gpus();
      }
      // A kernel of a few milliseconds is noticed at once; during longer ones the processor can rest.
      looks < polite_looks ? static_cast<void>(sched_yield()) : std::this_thread::sleep_for(nap);
    }
  }
}

void completion_thread::look_after_gpus() {
  for (stream_queue* q : queues_) {
    gpu& hardware = q->hardware();
    if (q->idle() || hardware.lost) continue;
    const CUresult health = q->health();
    if (health != CUDA_SUCCESS && health != CUDA_ERROR_NOT_READY) {
      give_up(hardware, describe(health));
    } else if (timeout_.count() > 0 && q->oldest_age() > timeout_ && !q->running_kernels().empty()) {
      const auto seconds = std::chrono::duration<double>(timeout_).count();
      give_up(hardware, cat("a kernel still runs after ", seconds, " s (TESSERA_KERNEL_TIMEOUT)"));
    }
  }
}

/// The kernels that were running: a fault does not say whose it was.
std::string completion_thread::suspects(const gpu& lost) const {
  std::set<std::string> names;
  for (const stream_queue* q : queues_)
    if (&q->hardware() == &lost)
      for (std::string& name : q->running_kernels()) names.insert(std::move(name));
  if (names.empty()) return "no kernel of Tessera was running";
  std::string text = names.size() == 1 ? "in " : "in one of: ";
  for (const std::string& name : names) text += (&name == &*names.begin() ? "" : "; ") + name;
  return text;
}

void completion_thread::give_up(gpu& lost, const std::string& what_happened) {
  const std::string text =
      cat("GPU ", lost.ordinal, " (", lost.name, ") is lost to this process: ", what_happened, ", ", suspects(lost));
  log(log_level::error, text);
  lost.lost = true;
  const std::exception_ptr reason = std::make_exception_ptr(device_error(text));
  for (stream_queue* q : queues_)
    if (&q->hardware() == &lost) q->abandon(reason);
}

}  // namespace tessera::device::cuda
