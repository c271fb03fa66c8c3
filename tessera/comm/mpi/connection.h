#pragma once

#include <string_view>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/comm/mpi/mpi_library.h"

namespace tessera::comm::mpi {

/// This rank among the ranks of one transport: the communicator of its messages and that of its notes.
struct connection {
  library& mpi;
  library::group ranks;
  library::control_line control;

  /// Throws `comm_error` if a call of MPI has failed.
  void check(int error, std::string_view doing) const {
    if (error != 0) throw comm_error(cat("rank ", ranks.rank, ", ", doing, ": ", mpi.text_of(error)));
  }
};

}  // namespace tessera::comm::mpi
