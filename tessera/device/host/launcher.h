#pragma once

namespace tessera {

/// What the launcher of a job of several processes (mpirun, srun) said about this one, in the environment.
struct launcher_info {
  int ranks = 1;
  int local_ranks = 1;  ///< On this machine.
  int local_rank = 0;   ///< Among those.
};

/// Read once.
[[nodiscard]] const launcher_info& this_process();

}  // namespace tessera
