#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tessera/comm/mpi/mpi_calls.h"
#include "tessera/comm/transport.h"

namespace tessera::comm::mpi {

/// The MPI of this process, opened and initialised once. A program that initialised it before stays its owner; what is
/// initialised here is finalised when the process ends. Thread-safe.
class library {
 public:
  /// Throws `comm_error` if the plugin is missing, or if MPI was initialised without threads.
  static library& open();

  [[nodiscard]] const tessera_mpi_calls& calls() const { return *calls_; }
  /// MPI is called by one thread at a time, which holds this lock; no other lock is taken while it does.
  [[nodiscard]] std::mutex& turn() { return turn_; }
  /// True once MPI may not be called any more. To be asked with the turn.
  [[nodiscard]] bool ended() const { return ended_ || calls_->is_over() != 0; }
  /// For notes: a communicator and a tag. A note that no rank takes any more must not be taken for something else, so
  /// the communicator is never closed: all contexts on all ranks share one, and each has a tag of its own there, equal
  /// on all ranks; contexts on some of them (`given`) have one of their own. Collective.
  struct control_line {
    tessera_mpi_handle comm{};
    int tag = 0;
  };
  [[nodiscard]] control_line control(const tessera_mpi_handle* given);
  /// A communicator of Tessera's own over the ranks of `given`, or over all of them if it is null. Collective.
  struct group {
    tessera_mpi_handle comm{};
    int rank = 0, size = 1, most_tag = 0;
  };
  [[nodiscard]] group open(const tessera_mpi_handle* given);
  /// `all` gets what every rank of `among` gives. Collective.
  void gather(const group& among, std::span<const std::byte> mine, std::span<std::byte> all);
  /// Contexts are made one at a time; each waits so many seconds for the other ranks (0: for ever).
  [[nodiscard]] std::unique_lock<std::mutex> make_one(double seconds) {
    std::unique_lock making(making_);
    patience_ = seconds;
    return making;
  }
  /// The job is ending badly: the process must not wait for other ranks for long when it ends.
  void job_failed() { failed_ = true; }
  /// `live` is told if the process ends before `detach`: it aborts, or is finished by `finish` if the process ends in
  /// order.
  void attach(transport& live, std::function<void()> finish);
  void detach(transport& live);
  [[nodiscard]] std::string text_of(int error) const;

 private:
  library();
  static void finalise(int status, void*) noexcept;
  static void finish_all(int status, void*) noexcept;
  /// Calls `start`, which begins something that all ranks do, and waits for its end; other threads have their turn
  /// meanwhile, since a rank may come late because it waits for what one of them has to send. Throws `comm_error` if
  /// the other ranks do not come; MPI may then touch `memory` until the process ends.
  template <class Start>
  void in_turns(const char* doing, const std::shared_ptr<void>& memory, Start start);

  const tessera_mpi_calls* calls_ = nullptr;
  control_line world_;  // and the last tag taken there
  int most_tag_ = 0;
  std::mutex making_, turn_;
  double patience_ = 0;  // of the context that is being made
  bool ended_ = false;
  std::atomic<bool> failed_{false};
  std::mutex live_mutex_;
  std::vector<std::pair<transport*, std::function<void()>>> live_;  // in the order in which they were made
  bool finishes_ = false;
};

}  // namespace tessera::comm::mpi
