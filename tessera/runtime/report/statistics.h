#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera {

/// What a context has done so far. Copies count when they are issued.
struct statistics {
  std::int64_t tasks = 0;
  std::int64_t instructions = 0;
  std::int64_t launches = 0;                ///< Calls of launch().
  std::int64_t superblocks = 0;             ///< Launches on devices of this rank.
  std::int64_t uncompiled_superblocks = 0;  ///< Of these, as functions because the text was not compiled (rule H40).
  std::int64_t copies = 0;
  std::int64_t host_to_device_bytes = 0;
  std::int64_t device_to_host_bytes = 0;
  std::int64_t device_to_device_bytes = 0;  ///< The sum of the next three.
  std::int64_t same_device_bytes = 0;       ///< Between logical devices of one physical device, or of the host.
  std::int64_t peer_bytes = 0;              ///< Directly from one GPU to another.
  std::int64_t through_host_bytes = 0;      ///< From device to device through page-locked memory of the host.
  std::int64_t sent_bytes = 0;
  std::int64_t received_bytes = 0;
  std::int64_t messages_sent = 0;
  std::int64_t kernels_compiled = 0;
  std::int64_t kernel_cache_hits = 0;
  std::int64_t evictions = 0;       ///< Blocks that lost their place in a device's memory.
  std::int64_t spilled_bytes = 0;   ///< Moved out of devices' memories for want of room.
  std::int64_t reloaded_bytes = 0;  ///< Moved back.
  std::int64_t disk_written_bytes = 0;
  std::int64_t disk_read_bytes = 0;
  std::int64_t memory_wait_ns = 0;       ///< Waited for room before work could be issued.
  std::int64_t planning_ns = 0;          ///< Processor time of the planner thread.
  std::int64_t tracked_state = 0;        ///< Pieces the planner keeps in its maps.
  std::vector<std::int64_t> peak_bytes;  ///< Per device of this rank.
  /// Bytes of each device of this rank that are taken now: by arrays, in whole pages, by what is kept for use again,
  /// and by workspace of work under way.
  std::vector<std::int64_t> allocated_bytes;
  std::int64_t allocated_host_bytes = 0;  ///< Of host memory: what left devices, messages, `context::host_memory`.
  std::int64_t allocated_disk_bytes = 0;  ///< Of the spill file.
};

/// What happened between two looks at one context: counters are subtracted; levels (peaks, allocated bytes and
/// `tracked_state`), which are no sums, are those of `later`.
[[nodiscard]] statistics operator-(const statistics& later, const statistics& earlier);

/// A table of the counters that are not zero.
[[nodiscard]] std::string to_string(const statistics& s);

}  // namespace tessera
