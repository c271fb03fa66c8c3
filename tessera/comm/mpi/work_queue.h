#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "tessera/comm/job_status.h"
#include "tessera/comm/mpi/control_channel.h"
#include "tessera/comm/mpi/request_table.h"

namespace tessera::comm::mpi {

/// What was asked of the network and has not been given to MPI yet. The progress thread sleeps here while it has
/// nothing to do. Thread-safe; `any` costs one atomic read.
class work_queue {
 public:
  struct outgoing_note {
    int peer = 0;
    std::shared_ptr<const notice> content;
  };
  struct batch {
    std::vector<message> messages;
    std::vector<outgoing_note> notes;
    std::optional<job_failure> failure;  ///< Of this rank, which the others are to be told.
  };

  explicit work_queue(const job_status& job) : job_(job) {}

  /// False if it is dropped because the job has failed, or is about to: what is sent may be the result of what failed.
  bool add(message m);
  bool add(outgoing_note n);
  /// Has a failure of this rank announced; the first one counts.
  void announce(job_failure problem);

  /// Whether there may be something to take.
  [[nodiscard]] bool any() const noexcept { return any_.load(std::memory_order_relaxed); }
  [[nodiscard]] batch take();
  /// The job has failed.
  void drop_all();

  /// No more is added: the thread that sleeps here ends when everything is done.
  void stop();
  [[nodiscard]] bool stopped() const;
  /// Whether it is stopped and everything was taken.
  [[nodiscard]] bool finished() const;

  void wake() { changed_.notify_one(); }
  /// Sleeps for at most `most`, until there is work, it is stopped or `woken` holds.
  template <class Woken>
  void sleep(std::chrono::microseconds most, Woken woken) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, most, [&] { return stopping_ || has_work() || woken(); });
  }

 private:
  [[nodiscard]] bool has_work() const {
    return !waiting_.messages.empty() || !waiting_.notes.empty() || (waiting_.failure && !job_.failed());
  }

  const job_status& job_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  batch waiting_;
  std::atomic<bool> any_{false};
  bool stopping_ = false;
};

}  // namespace tessera::comm::mpi
