#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "tessera/device/host/mapping.h"

namespace tessera::device {

/// Has the n-th request for memory of a CPU device from now on fail, whatever there is; for tests. 0: none does.
/// Returns how many requests the last call was still waiting for; none if its failure has happened.
std::int64_t fail_one_allocation(std::int64_t nth) noexcept;

/// The memory of one device: pages of this process, counted against a budget. Allocations of more than one page are
/// addresses between inaccessible pages, which get memory page by page; smaller ones have theirs at once, from a cache
/// that all devices of the process share. What is freed is kept for the next allocation of that size, up to an eighth
/// of the budget, and given up when room is wanted. Thread-safe.
class device_heap {
 public:
  explicit device_heap(std::int64_t budget);
  ~device_heap();
  device_heap(const device_heap&) = delete;
  device_heap& operator=(const device_heap&) = delete;

  /// Null if the budget, or the machine, has not that much left. Aligned to 256 bytes.
  [[nodiscard]] std::byte* allocate(std::int64_t bytes) noexcept;
  /// `bytes` as given to `allocate`; null is ignored.
  void deallocate(std::byte* data, std::int64_t bytes) noexcept;

  /// Counts the pages of [begin, end) from now on; they come by themselves when they are touched, or from those that
  /// `unback` took away. False, and nothing is counted, if the budget has not that much left.
  [[nodiscard]] bool back(std::byte* data, std::int64_t begin, std::int64_t end) noexcept;
  /// Keeps the pages for others: new ones from the system would be cleared first, which takes as long as filling them.
  void unback(std::byte* data, std::int64_t begin, std::int64_t end) noexcept;

  /// Unused bytes on each side of an allocation; none if it lies between inaccessible pages.
  [[nodiscard]] std::int64_t guard_bytes(std::int64_t bytes) const noexcept;
  /// The page of an allocation of so many bytes: a 64th of the budget, but 4 KiB to 2 MiB.
  [[nodiscard]] std::int64_t page_bytes(std::int64_t bytes) const noexcept { return bytes <= page_ ? bytes : page_; }
  [[nodiscard]] std::int64_t used() const noexcept;
  [[nodiscard]] std::int64_t budget() const noexcept { return budget_; }

  /// Counts memory that a caller allocates itself, for as long as this lives. Room was checked before.
  class counted_memory {
   public:
    counted_memory(device_heap& from, std::int64_t bytes) noexcept : from_(from), bytes_(bytes) { from_.count(bytes_); }
    ~counted_memory() { from_.count(-bytes_); }
    counted_memory(const counted_memory&) = delete;
    counted_memory& operator=(const counted_memory&) = delete;

   private:
    device_heap& from_;
    std::int64_t bytes_;
  };

 private:
  struct span {
    std::int64_t bytes = 0;
    std::vector<bool> backed;    // per page
    std::vector<bool> leftover;  // per page: has memory of an earlier span, not backed yet
  };
  [[nodiscard]] std::int64_t bytes_of(const span& s, std::size_t page) const;
  void count(std::int64_t bytes) noexcept;
  [[nodiscard]] std::byte* take_counted(std::int64_t bytes) noexcept;
  [[nodiscard]] std::byte* take(std::int64_t bytes) noexcept;
  /// Keeps a mapping that is no longer used, or gives it back.
  void retire(kept_mappings::mapping unused) noexcept;
  void keep_page(std::byte* at) noexcept;
  /// Memory that is there but not used.
  [[nodiscard]] std::int64_t idle() const noexcept { return std::ssize(spare_) * page_ + kept_.resident() + leftover_; }
  /// Gives up idle memory where it exceeds, with what is used, the budget.
  void return_idle() noexcept;
  void drop_leftovers() noexcept;

  const std::int64_t budget_;
  const std::int64_t page_;
  mutable std::mutex mutex_;
  std::int64_t used_ = 0;
  std::unordered_map<std::byte*, span> spans_;
  std::vector<std::byte*> spare_;  // pages without a span, at addresses of their own
  kept_mappings kept_;
  std::int64_t leftover_ = 0;  // bytes, of all spans
};

}  // namespace tessera::device
