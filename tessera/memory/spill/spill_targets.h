#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tessera/memory/spill/spill_file.h"

namespace tessera::memory {

/// The memories that take what devices cannot hold.
struct spill_targets {
  std::int64_t host = 0;  ///< Bytes of host memory for evicted contents and messages; 0: it goes to the disk at once.
  std::string spill_directory;
  std::int64_t spill_limit = 0;
  file_calls system = file_calls::of_the_system();
  /// Bytes of host memory that the program may borrow in all.
  std::int64_t lendable = std::numeric_limits<std::int64_t>::max();
};

/// What has been moved for want of memory.
struct spill_counters {
  std::int64_t evictions = 0;       ///< Pages that lost their memory.
  std::int64_t spilled_bytes = 0;   ///< Written to host memory or disk because of that.
  std::int64_t reloaded_bytes = 0;  ///< Brought back.
  std::int64_t disk_written_bytes = 0;
  std::int64_t disk_read_bytes = 0;
  std::int64_t waited_ns = 0;  ///< By the thread that makes reservations, for memory.
};

/// Bytes that are taken now of each memory: by arrays, whatever part of them is used, and by what is kept for use
/// again.
struct memory_levels {
  std::vector<std::int64_t> devices;  ///< With the workspace of work under way.
  std::int64_t host = 0;              ///< What left devices, what passes to the disk, messages, and what was lent.
  std::int64_t disk = 0;
};

}  // namespace tessera::memory
