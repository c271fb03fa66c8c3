#pragma once

#include <atomic>
#include <cstdint>

namespace tessera::runtime {

/// The counters of `statistics` while they are being counted.
struct live_statistics {
  std::atomic<std::int64_t> tasks{0}, instructions{0}, launches{0}, superblocks{0}, copies{0}, host_to_device{0},
      device_to_host{0}, device_to_device{0}, sent{0}, received{0}, messages{0}, planning_ns{0}, begun{0},
      ended{0};  // instructions given to devices, and those that have ended

  static void add(std::atomic<std::int64_t>& counter, std::int64_t amount) {
    counter.fetch_add(amount, std::memory_order_relaxed);
  }
};

}  // namespace tessera::runtime
