#include "tessera/device/host/launcher.h"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>

namespace tessera {
namespace {

/// The first of these variables that is set to a number of at least `least`.
int number_in(std::initializer_list<const char*> names, int least, int otherwise) {
  for (const char* name : names)
    if (const char* text = std::getenv(name))
      if (const int value = std::atoi(text); value >= least && *text >= '0' && *text <= '9') return value;
  return otherwise;
}

}  // namespace

const launcher_info& this_process() {
  // Open MPI; MPICH and its relatives; MVAPICH.
  static const launcher_info place = [] {
    launcher_info p;
    p.ranks = number_in({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"}, 1, 1);
    p.local_ranks = number_in({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_LOCAL_SIZE"}, 1, 1);
    p.local_rank = number_in({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK"}, 0, 0);
    p.local_rank = std::min(p.local_rank, p.local_ranks - 1);
    return p;
  }();
  return place;
}

}  // namespace tessera
