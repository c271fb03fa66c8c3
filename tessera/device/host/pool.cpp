#include "tessera/device/host/pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "tessera/base/threads/progress_engine.h"
#include "tessera/base/threads/thread_name.h"
#include "tessera/device/host/launcher.h"

namespace tessera::device {
namespace {

struct thread_state {
  job* kept = nullptr;
  int keeping = 0;
  int index = 0;
  bool worker = false;
};
thread_local thread_state local;

/// The user's threads handle the process's signals, except those that a thread raises itself.
class signals_blocked {
 public:
  signals_blocked() {
    sigset_t set;
    sigfillset(&set);
    for (int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGPROF}) sigdelset(&set, own);
    pthread_sigmask(SIG_BLOCK, &set, &before_);
  }
  ~signals_blocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  signals_blocked(const signals_blocked&) = delete;
  signals_blocked& operator=(const signals_blocked&) = delete;

 private:
  sigset_t before_{};
};

/// How many processors this process may use.
int allowed_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// Ranks on one machine whose launcher did not give each its processors share them out themselves.
bool shares_cores() { return this_process().local_ranks > 1 && allowed_cores() == sysconf(_SC_NPROCESSORS_ONLN); }

/// The first processor of this rank's share.
int first_core() {
  static const int first =
      shares_cores() ? allowed_cores() * this_process().local_rank / this_process().local_ranks : 0;
  return first;
}

/// Keeps the calling thread on the `index`-th processor that this process may use, if there are that many: after a
/// sleep the system likes to wake several workers on one processor, and takes milliseconds to notice.
void stay_on_processor(int index) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  index += first_core();
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed) || index-- > 0) continue;
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(cpu, &only);
    pthread_setaffinity_np(pthread_self(), sizeof only, &only);
    return;
  }
}

struct stop_at_exit {
  worker_pool& pool;
  ~stop_at_exit() { pool.stop(); }
};

}  // namespace

worker_pool::keep_scope::keep_scope() noexcept { ++local.keeping; }
worker_pool::keep_scope::~keep_scope() { --local.keeping; }

int worker_pool::machine_cores() {
  static const int cores = [] {
    const launcher_info& place = this_process();
    if (!shares_cores()) return allowed_cores();
    return std::max(1, allowed_cores() * (place.local_rank + 1) / place.local_ranks - first_core());
  }();
  return cores;
}

int worker_pool::worker_index() noexcept { return local.index; }

worker_pool& worker_pool::instance() {
  // Never deleted: a worker that did not end in time, or a backend destroyed later, may still look at it.
  static worker_pool* const pool = new worker_pool(machine_cores());
  static const stop_at_exit guard{*pool};
  return *pool;
}

worker_pool::worker_pool(int threads) { require(threads); }

void worker_pool::require(int threads) {
  const signals_blocked quiet;
  std::lock_guard lock(mutex_);
  if (stopped()) return;
  while (static_cast<int>(workers_.size()) < threads) {
    workers_.emplace_back([this, index = static_cast<int>(workers_.size())] {
      local.index = index;
      stay_on_processor(index);
      work();
    });
    ++alive_;
  }
  threads_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
}

void worker_pool::stop() {
  std::unique_lock lock(mutex_);
  stopping_.store(true, std::memory_order_seq_cst);
  changed_.notify_all();
  constexpr auto timeout = std::chrono::seconds(5);
  const bool ended = !local.worker && changed_.wait_for(lock, timeout, [&] { return alive_ == 0; });
  lock.unlock();
  for (std::thread& worker : workers_) ended ? worker.join() : worker.detach();
  workers_.clear();
}

void worker_pool::work() noexcept {
  name_this_thread("tessera worker");
  constexpr int max_kept_in_a_row = 64;  // then what others made ready gets its turn
  local.worker = true;
  progress_engine::count_pollers(1);
  for (int in_a_row = 0; !stopped();) {
    if (in_a_row == max_kept_in_a_row && busy()) share_kept();
    job* next = std::exchange(local.kept, nullptr);
    in_a_row = next == nullptr || in_a_row == max_kept_in_a_row ? 0 : in_a_row + 1;
    if (next == nullptr) next = take();
    if (next == nullptr) next = search();
    if (next != nullptr) next->run();
  }
  share_kept();
  progress_engine::count_pollers(-1);
  std::lock_guard lock(mutex_);
  --alive_;
  changed_.notify_all();
}

void worker_pool::schedule(job& item) noexcept {
  if (local.keeping > 0 && local.kept == nullptr)
    local.kept = &item;
  else
    schedule_last(item);
}

void worker_pool::line::push(job& item) noexcept {
  item.next_ = nullptr;
  (last == nullptr ? first : last->next_) = &item;
  last = &item;
}

job* worker_pool::line::pop() noexcept {
  job* const next = first;
  if (next == nullptr) return nullptr;
  first = next->next_;
  if (first == nullptr) last = nullptr;
  return next;
}

void worker_pool::schedule_last(job& item) noexcept {
  {
    std::lock_guard lock(lock_);
    (item.urgent_ ? urgent_line_ : line_).push(item);
    if (item.urgent_) urgent_.fetch_add(1, std::memory_order_relaxed);
    ready_.fetch_add(1, std::memory_order_seq_cst);
  }
  if (searching_.load(std::memory_order_seq_cst) == 0 && sleeping_.load(std::memory_order_seq_cst) > 0) wake_one();
}

void worker_pool::share_kept() noexcept {
  if (local.kept != nullptr) schedule_last(*std::exchange(local.kept, nullptr));
}

bool worker_pool::run_abandoned() noexcept {
  if (!stopped()) return false;
  job* const next = take();
  if (next == nullptr) return false;
  next->run();
  share_kept();
  return true;
}

job* worker_pool::take() noexcept {
  if (ready_.load(std::memory_order_seq_cst) == 0) return nullptr;
  std::lock_guard lock(lock_);
  job* next = urgent_line_.pop();
  if (next != nullptr) urgent_.fetch_sub(1, std::memory_order_relaxed);
  if (next == nullptr) next = line_.pop();
  if (next != nullptr) ready_.fetch_sub(1, std::memory_order_seq_cst);
  return next;
}

void worker_pool::run_urgent_now() noexcept {
  job* next = nullptr;
  {
    std::lock_guard lock(lock_);
    next = urgent_line_.pop();
    if (next == nullptr) return;
    urgent_.fetch_sub(1, std::memory_order_relaxed);
    ready_.fetch_sub(1, std::memory_order_seq_cst);
  }
  next->run();
  share_kept();
}

job* worker_pool::search() noexcept {
  constexpr int pauses = 16;  // more would only delay threads that share this processor
  constexpr int yields = 64;
  constexpr int looks = 2000;  // while messages are expected: a millisecond or two
  searching_.fetch_add(1, std::memory_order_seq_cst);
  job* found = nullptr;
  for (int tries = 0; found == nullptr && !stopped(); ++tries) {
    if ((found = take()) != nullptr) break;
    const bool expected = progress_engine::poll() != progress_engine::activity::nothing;
    if (tries < pauses) {
      relax();
    } else if (tries < pauses + yields + (expected ? looks : 0)) {
      sched_yield();
    } else {
      sleep();
      tries = 0;
    }
  }
  // Jobs pushed while this worker was seen searching rely on it: pass the duty on.
  if (searching_.fetch_sub(1, std::memory_order_seq_cst) == 1 && ready_.load(std::memory_order_seq_cst) > 0 &&
      sleeping_.load(std::memory_order_seq_cst) > 0)
    wake_one();
  return found;
}

void worker_pool::sleep() {
  std::unique_lock lock(mutex_);
  sleeping_.fetch_add(1, std::memory_order_seq_cst);
  searching_.fetch_sub(1, std::memory_order_seq_cst);
  if (ready_.load(std::memory_order_seq_cst) == 0) {
    progress_engine::count_pollers(-1);
    changed_.wait(lock, [&] { return wakeups_ > 0 || stopping_.load(std::memory_order_seq_cst); });
    progress_engine::count_pollers(1);
  }
  if (wakeups_ > 0) {
    --wakeups_;  // the waker has moved this worker from sleeping to searching
  } else {
    sleeping_.fetch_sub(1, std::memory_order_seq_cst);
    searching_.fetch_add(1, std::memory_order_seq_cst);
  }
}

void worker_pool::wake_one() noexcept {
  {
    std::lock_guard lock(mutex_);
    if (sleeping_.load(std::memory_order_seq_cst) == 0) return;
    sleeping_.fetch_sub(1, std::memory_order_seq_cst);
    searching_.fetch_add(1, std::memory_order_seq_cst);
    ++wakeups_;
  }
  changed_.notify_one();
}

}  // namespace tessera::device
