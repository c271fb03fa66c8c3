#pragma once

#include <atomic>
#include <cstdint>

#include "tessera/runtime/report/statistics.h"

namespace tessera::runtime {

/// The counters of `statistics` while they are being counted. Names are those of `statistics`, except for the last two:
/// instructions given to devices, and those of them that have ended.
struct live_statistics {
  std::atomic<std::int64_t> tasks{0}, instructions{0}, launches{0}, superblocks{0}, uncompiled{0}, copies{0},
      host_to_device_bytes{0}, device_to_host_bytes{0}, device_to_device_bytes{0}, same_device_bytes{0}, peer_bytes{0},
      through_host_bytes{0}, sent_bytes{0}, received_bytes{0}, messages_sent{0}, planning_ns{0}, begun{0}, ended{0};

  static void add(std::atomic<std::int64_t>& counter, std::int64_t amount) {
    counter.fetch_add(amount, std::memory_order_relaxed);
  }
  /// What has been counted so far; what is not counted here is zero.
  [[nodiscard]] statistics totals() const;
};

}  // namespace tessera::runtime
