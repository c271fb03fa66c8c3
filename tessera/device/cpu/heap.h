#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tessera::device {

/// The memory of one device: pages of this process, counted against a budget. Large blocks are mapped lazily between
/// inaccessible pages; small ones come from a cache that all devices of the process share. Thread-safe.
class device_heap {
 public:
  explicit device_heap(std::int64_t budget) : budget_(budget) {}

  /// Null if the budget, or the machine, has not that much left. Aligned to 256 bytes.
  [[nodiscard]] std::byte* allocate(std::int64_t bytes) noexcept;
  /// `bytes` as given to `allocate`; null is ignored.
  void deallocate(std::byte* data, std::int64_t bytes) noexcept;
  [[nodiscard]] std::int64_t used() const noexcept { return used_.load(std::memory_order_relaxed); }

 private:
  const std::int64_t budget_;
  std::atomic<std::int64_t> used_{0};
};

}  // namespace tessera::device
