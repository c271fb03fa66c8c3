#pragma once

#include "tessera/device/backend.h"

namespace tessera::memory {

/// A device of this rank: the backend that drives it and its number there.
struct local_device {
  device::backend* backend = nullptr;
  int index = 0;

  [[nodiscard]] const device::device_info& info() const { return backend->devices()[static_cast<std::size_t>(index)]; }
};

}  // namespace tessera::memory
