#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "tessera/comm/mpi/mpi_calls.h"
#include "tessera/comm/transport.h"

namespace tessera::comm::mpi {

/// The MPI of this process, opened and initialised once. Whoever initialised it before stays its owner; what is
/// initialised here is finalised when the process ends.
class library {
 public:
  /// Throws `comm_error` if the plugin is missing, or if MPI was initialised without threads.
  static library& open();

  [[nodiscard]] const tessera_mpi_calls& calls() const { return *calls_; }
  /// MPI is called by one thread at a time.
  [[nodiscard]] std::mutex& turn() { return turn_; }
  /// True once MPI may not be called any more. Asked by those whose turn it is.
  [[nodiscard]] bool ended() const { return ended_; }
  /// All ranks, for what is told outside of any plan. What nobody takes any more must not be taken for something else,
  /// so it is never closed, and each transport has a tag of its own there, the same on all ranks.
  [[nodiscard]] tessera_mpi_handle control() const { return control_; }
  [[nodiscard]] int next_control_tag() { return last_tag_ = last_tag_ % most_tag_ + 1; }
  /// The job is ending badly: the process must not wait for other ranks for long when it ends.
  void job_failed() { failed_ = true; }
  /// Who is to be told if the process ends before them.
  void enter(transport& live);
  void leave(transport& live);
  [[nodiscard]] std::string text_of(int error) const;

 private:
  library();
  static void finalise(int status, void*) noexcept;

  const tessera_mpi_calls* calls_ = nullptr;
  tessera_mpi_handle control_{};
  int most_tag_ = 0, last_tag_ = 0;
  std::mutex turn_;
  bool ended_ = false;
  std::atomic<bool> failed_{false};
  std::mutex live_mutex_;
  std::vector<transport*> live_;
};

}  // namespace tessera::comm::mpi
