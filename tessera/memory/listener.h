#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <vector>

#include "tessera/base/geometry/box.h"
#include "tessera/base/ids.h"

namespace tessera::memory {

/// Contents on their way between a device and what lies below it.
struct movement {
  const char* name = "";  ///< "spill", "reload" or "demote"
  array_id array;
  std::int32_t device = 0;
  bool out = false;   ///< Of the device.
  bool disk = false;  ///< To or from the disk, else host memory.
  std::int64_t bytes = 0;
};

/// What memory asks of the thread that issues work, and tells it. Must not call memory.
class listener {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  /// Blocks until everything issued so far has ended. Called by `residency::reserve`, on its thread, without a lock.
  virtual void wait_for_issued() = 0;
  /// Elements of a copy could not be brought back. Called on a thread of a device or of the disk.
  virtual void lost(array_id array, std::int32_t device, const std::vector<box>& parts,
                    const std::exception_ptr& reason) noexcept = 0;
  /// Contents were moved, or could not be. Called on a thread of a device or of the disk.
  virtual void moved(const movement& m, time_point begin, time_point end) noexcept = 0;

 protected:
  ~listener() = default;
};

}  // namespace tessera::memory
