#pragma once

#include <string>
#include <vector>

#include "tessera/device/backend.h"

namespace tessera::device {

/// How fast copies run one way.
struct link_speed {
  std::string from, to;  ///< Names of devices, or "host".
  double bytes_per_second = 0;
};

/// Measures the ways between the host and each device, and between devices that follow each other, with a few copies of
/// `bytes` each. Blocks for some milliseconds per way; what has no room is left out.
[[nodiscard]] std::vector<link_speed> measure_links(backend& b, std::int64_t bytes = std::int64_t{64} << 20);

}  // namespace tessera::device
