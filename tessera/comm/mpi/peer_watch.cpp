#include "tessera/comm/mpi/peer_watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

#include "tessera/base/threads/thread_name.h"

namespace tessera::comm::mpi {

peer_identity peer_identity::of_this_process() {
  peer_identity self;
  std::string boot, space;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  // Process numbers mean something within one namespace only.
  char link[64] = {};
  if (readlink("/proc/self/ns/pid", link, sizeof link - 1) > 0) space = link;
  std::strncpy(self.machine, (boot + space).c_str(), sizeof self.machine - 1);
  self.process = getpid();
  return self;
}

peer_watch::peer_watch(const std::vector<peer_identity>& ranks, int own, std::function<void(int, int)> died)
    : died_(std::move(died)), stop_(eventfd(0, EFD_CLOEXEC)) {
  for (int r = 0; r < static_cast<int>(ranks.size()); ++r) {
    const peer_identity& p = ranks[static_cast<std::size_t>(r)];
    if (r == own || std::strcmp(p.machine, ranks[static_cast<std::size_t>(own)].machine) != 0) continue;
    const auto handle = static_cast<int>(syscall(SYS_pidfd_open, p.process, 0));
    if (handle >= 0) peers_.push_back({r, p.process, file_descriptor(handle)});
  }
  if (!peers_.empty()) thread_ = std::thread([this] { watch(); });
}

peer_watch::~peer_watch() {
  const std::uint64_t one = 1;
  static_cast<void>(!write(stop_.get(), &one, sizeof one));
  if (thread_.joinable()) thread_.join();
}

void peer_watch::watch() const {
  name_this_thread("tessera peers");
  std::vector<pollfd> all{{stop_.get(), POLLIN, 0}};
  for (const peer& p : peers_) all.push_back({p.handle.get(), POLLIN, 0});
  while (poll(all.data(), all.size(), -1) < 0) continue;
  if (all.front().revents != 0) return;
  for (std::size_t k = 1; k < all.size(); ++k)
    if (all[k].revents != 0) return died_(peers_[k - 1].rank, peers_[k - 1].process);
}

}  // namespace tessera::comm::mpi
