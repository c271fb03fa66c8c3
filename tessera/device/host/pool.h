#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "tessera/base/threads/progress_engine.h"
#include "tessera/device/host/spin.h"

namespace tessera::device {

/// Something a worker can run. Owned by the caller of `schedule`; used by the pool from there until `run` begins.
class job {
 public:
  virtual void run() noexcept = 0;

 protected:
  /// What is urgent is short, and others wait for it (copies, messages): workers take it first.
  explicit job(bool urgent = false) : urgent_(urgent) {}
  ~job() = default;

 private:
  friend class worker_pool;
  job* next_ = nullptr;
  const bool urgent_;
};

/// The threads that run the work of all host backends of this process: as many as the machine has cores, however many
/// devices there are. Jobs must not block. Idle workers search for a few dozen microseconds, then sleep.
class worker_pool {
 public:
  /// Created at the first call. At process exit the workers end after their current job.
  static worker_pool& instance();
  /// Processors that this process may use.
  static int machine_cores();
  /// Which of the workers the calling thread is; 0 for all other threads.
  static int worker_index() noexcept;

  worker_pool(const worker_pool&) = delete;
  worker_pool& operator=(const worker_pool&) = delete;

  [[nodiscard]] int threads() const noexcept { return threads_.load(std::memory_order_relaxed); }
  /// Adds workers until there are `threads`. For tests that need more than the machine's cores.
  void require(int threads);

  /// Has some worker run `item`: the calling one next if it is inside a `keep_scope` and keeps nothing yet.
  void schedule(job& item) noexcept;
  /// As above, behind everything that is ready.
  void schedule_last(job& item) noexcept;
  /// Offers the job that this thread keeps, if any, to the others: the caller goes on with something else.
  void share_kept() noexcept;
  /// Called now and then in the middle of long work: looks for messages and runs an urgent job, if one waits.
  void run_urgent() noexcept {
    progress_engine::poll_at_times();
    if (urgent_.load(std::memory_order_relaxed) > 0) run_urgent_now();
  }
  /// True if an urgent job waits and no other worker is about to take it; a hint.
  [[nodiscard]] bool wants_way() const noexcept {
    return urgent_.load(std::memory_order_relaxed) > 0 && searching_.load(std::memory_order_relaxed) == 0;
  }
  /// True if some job waits for a worker; a hint.
  [[nodiscard]] bool busy() const noexcept { return ready_.load(std::memory_order_relaxed) > 0; }

  /// Lets work go on when there are no workers any more (objects that outlive the pool): runs one ready job on the
  /// calling thread. False if workers exist or nothing is ready.
  bool run_abandoned() noexcept;
  [[nodiscard]] bool stopped() const noexcept { return stopping_.load(std::memory_order_acquire); }
  /// Ends the workers; called at process exit. A job that does not end within some seconds is left behind.
  void stop();

  /// While one exists, the first job this thread schedules stays with it: what an ending operation makes ready finds
  /// its data in this processor's cache. The thread must afterwards return to the pool or call `share_kept`.
  class keep_scope {
   public:
    keep_scope() noexcept;
    ~keep_scope();
    keep_scope(const keep_scope&) = delete;
    keep_scope& operator=(const keep_scope&) = delete;
  };

 private:
  explicit worker_pool(int threads);

  void work() noexcept;
  job* take() noexcept;
  void run_urgent_now() noexcept;
  job* search() noexcept;
  void sleep();
  void wake_one() noexcept;

  /// Jobs in order of readiness.
  struct line {
    job* first = nullptr;
    job* last = nullptr;
    void push(job& item) noexcept;
    job* pop() noexcept;
  };
  spin_lock lock_;
  line urgent_line_, line_;
  std::atomic<int> ready_{0};   // in both
  std::atomic<int> urgent_{0};  // of these

  // Each push either sees a searching worker, which will see the job, or wakes a sleeping one.
  std::atomic<int> searching_{0};
  std::atomic<int> sleeping_{0};
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  int wakeups_ = 0;
  int alive_ = 0;
  std::atomic<int> threads_{0};
  std::vector<std::thread> workers_;
};

}  // namespace tessera::device
