#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tessera/comm/job_status.h"
#include "tessera/comm/mpi/connection.h"
#include "tessera/comm/mpi/control_channel.h"
#include "tessera/comm/mpi/incoming_messages.h"
#include "tessera/comm/mpi/outgoing_messages.h"
#include "tessera/comm/mpi/request_table.h"
#include "tessera/comm/mpi/work_queue.h"

namespace tessera::comm::mpi {

/// Gives messages and notes to MPI and completes them, on any thread that comes, one at a time: its lock is taken
/// before MPI's turn and before the lock of the work queue. MPI's errors, and messages that are not what they should
/// be, end the job.
class message_engine {
 public:
  message_engine(const connection& network, std::int64_t most_bytes, job_status& job, work_queue& work);

  /// The event of a message. Any thread, without the lock.
  [[nodiscard]] event arrival(int peer, std::uint64_t number) { return incoming_.arrival(peer, number); }
  [[nodiscard]] note_box& notes() { return control_.notes(); }
  /// Whether MPI had something to do when a thread was here last. Any thread, without the lock.
  [[nodiscard]] bool under_way() const noexcept { return under_way_.load(std::memory_order_relaxed); }

  /// Gives to MPI what is in the work queue and, if `polling`, completes what has ended. False if a thread is here,
  /// perhaps the calling one (a listener of notes may send): it may not see what was added since.
  bool advance_if_free(bool polling);
  /// Whether a thread that has just polled should do so again at once, because large messages are being sent.
  [[nodiscard]] bool sends_large() noexcept;
  [[nodiscard]] std::vector<pending_message> pending();

  struct step {
    bool last = false;       ///< Nothing is left to do, or worth waiting for.
    bool busy = false;       ///< There was something to do.
    std::int64_t bytes = 0;  ///< With MPI.
  };
  /// Likewise, for the progress thread: waits for the thread that is here, and polls.
  step advance();
  /// Gives back what MPI holds. Nothing else is called afterwards, but for events.
  void release();

 private:
  bool advance_locked(bool polling);
  bool take_work();
  bool poll();
  void ended(const tessera_mpi_status& status);
  void suspect(const std::string& reason);
  void spread_failure(const job_failure& problem);
  void fail(const job_failure& problem);
  [[nodiscard]] bool may_stop();

  const connection& network_;
  job_status& job_;
  work_queue& work_;
  std::mutex mutex_;  // of the members below
  request_table requests_;
  outgoing_messages outgoing_;
  incoming_messages incoming_;
  control_channel control_;
  std::optional<job_failure> suspicion_;  // ends the job, unless a better reason is found soon
  std::chrono::steady_clock::time_point suspected_;
  std::optional<std::chrono::steady_clock::time_point> stopping_since_;  // with a failed job
  std::atomic<bool> under_way_{false};
};

}  // namespace tessera::comm::mpi
