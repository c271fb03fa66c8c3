#pragma once

#include "tessera/device/backend.h"

namespace tessera::memory {

/// A device of this rank: the backend that drives it and its number there.
struct local_device {
  device::backend* backend = nullptr;
  int index = 0;

  [[nodiscard]] const device::device_info& info() const { return backend->devices()[static_cast<std::size_t>(index)]; }
};

/// The way of copies from one device of this rank to another. Memory of CPU devices is the host's, whichever backend
/// drives them.
[[nodiscard]] inline device_link link_between(const local_device& from, const local_device& to) {
  if (from.backend == to.backend) return from.backend->link(from.index, to.index);
  const bool in_host = from.backend->shares_host_memory() && to.backend->shares_host_memory();
  return in_host ? device_link::same : device_link::host;
}

}  // namespace tessera::memory
