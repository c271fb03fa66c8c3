#pragma once

#include <mutex>
#include <string>

#include "tessera/comm/mpi/mpi_calls.h"

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
  /// The job is ending badly: the process must not wait for other ranks for long when it ends.
  void job_failed() { failed_ = true; }
  [[nodiscard]] std::string text_of(int error) const;

 private:
  library();
  static void finalise() noexcept;

  const tessera_mpi_calls* calls_ = nullptr;
  std::mutex turn_;
  bool failed_ = false;
};

}  // namespace tessera::comm::mpi
