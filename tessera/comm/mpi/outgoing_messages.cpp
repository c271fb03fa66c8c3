#include "tessera/comm/mpi/outgoing_messages.h"

#include <cstddef>

namespace tessera::comm::mpi {
namespace {

constexpr std::int64_t large = 64 << 10;

}  // namespace

void outgoing_messages::post(const std::shared_ptr<message>& m) {
  requests_.post(m);
  const std::int64_t bytes = std::ssize(m->data.bytes);
  if (bytes < large) return;
  constexpr std::int64_t bytes_per_poll = 2048, at_least = 400;
  large_bytes_ += bytes;
  polls_left_ = at_least + large_bytes_ / bytes_per_poll;
}

void outgoing_messages::ended(const message& m) {
  const std::int64_t bytes = std::ssize(m.data.bytes);
  if (bytes >= large) large_bytes_ -= bytes;
}

}  // namespace tessera::comm::mpi
