#pragma once

#include <unistd.h>

#include <cstdint>
#include <fstream>

namespace tessera::support {

/// Bytes of this process that are in memory now.
inline std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

}  // namespace tessera::support
