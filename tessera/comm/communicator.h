#pragma once

#include <cstddef>
#include <memory>

namespace tessera::comm {

class transport;

/// See below; `handle` points to the bytes of an MPI_Comm.
[[nodiscard]] std::shared_ptr<transport> adopt_communicator(const void* handle, std::size_t bytes);

}  // namespace tessera::comm

namespace tessera {

/// The ranks of an MPI communicator, for `options::comm`: a program that uses MPI itself gives a context some of its
/// ranks, or keeps apart what belongs to others. Collective over them. The communicator stays the caller's and may be
/// freed at once. For one context. MPI must have been initialised with MPI_THREAD_SERIALIZED or better, and is not
/// finalised; while a context lives, the program calls MPI from other threads only if it was initialised with
/// MPI_THREAD_MULTIPLE.
///
///   ts::options how;
///   how.comm = ts::communicator(some_mpi_comm);
///   ts::context ctx(how);
template <class MpiComm>
[[nodiscard]] std::shared_ptr<comm::transport> communicator(const MpiComm& ranks) {
  static_assert(sizeof ranks <= sizeof(void*), "an MPI_Comm is expected");
  return comm::adopt_communicator(&ranks, sizeof ranks);
}

}  // namespace tessera
