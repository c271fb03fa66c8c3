#pragma once

#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "tessera/base/file_descriptor.h"

namespace tessera::comm::mpi {

/// The process of a rank, for the others on its machine.
struct peer_identity {
  char machine[64] = {};
  int process = 0;

  static peer_identity of_this_process();
};

/// Watches the processes of the other ranks on this machine and reports at once if one of them ends: it cannot have
/// ended well while its communicator is in use. Ranks on other machines are the launcher's to watch.
class peer_watch {
 public:
  /// `died` is called on a thread of its own, once.
  peer_watch(const std::vector<peer_identity>& ranks, int own, std::function<void(int rank, int process)> died);
  ~peer_watch();
  peer_watch(const peer_watch&) = delete;
  peer_watch& operator=(const peer_watch&) = delete;

 private:
  struct peer {
    int rank = 0, process = 0;
    file_descriptor handle;
  };
  void watch() const;

  std::vector<peer> peers_;
  std::function<void(int, int)> died_;
  file_descriptor stop_;
  std::thread thread_;
};

}  // namespace tessera::comm::mpi
