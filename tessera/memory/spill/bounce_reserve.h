#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "tessera/base/error.h"
#include "tessera/device/backend.h"

namespace tessera::memory {

/// A few buffers of host memory through which one direction between devices and the disk goes where devices do not
/// share the host's memory (rule E2). They are made when first wanted and kept; a thread that finds all in use waits
/// for one, which needs no more memory to come back. Thread-safe.
class bounce_reserve {
 public:
  bounce_reserve() = default;
  ~bounce_reserve() {
    for (const buffer& b : all_) b.owner->deallocate_host(b.data, b.bytes);
  }
  bounce_reserve(const bounce_reserve&) = delete;
  bounce_reserve& operator=(const bounce_reserve&) = delete;

  /// Null if all that suit are taken. Throws `out_of_memory` if there is none and none can be made.
  std::byte* try_take(device::backend& owner, std::int64_t bytes) {
    const std::lock_guard held(mutex_);
    std::size_t suited = 0;
    for (buffer& b : all_) {
      if (!b.suits(owner, bytes)) continue;
      ++suited;
      if (!std::exchange(b.taken, true)) return b.data;
    }
    if (suited < most)
      if (std::byte* const made = owner.allocate_host(bytes)) {
        all_.push_back({&owner, made, bytes, true});
        used_ += bytes;
        return made;
      }
    if (suited == 0) throw out_of_memory("no host memory is left to pass data between a device and the disk");
    return nullptr;
  }
  /// Bytes of all buffers.
  [[nodiscard]] std::int64_t used() const { return used_; }
  /// Until one that suits has been given back.
  void wait_for_one(const device::backend& owner, std::int64_t bytes) {
    std::unique_lock held(mutex_);
    const auto is_free = [&](const buffer& b) { return !b.taken && b.suits(owner, bytes); };
    given_.wait(held, [&] { return std::any_of(all_.begin(), all_.end(), is_free); });
  }
  void give(const std::byte* data) noexcept {
    const std::lock_guard held(mutex_);
    std::find_if(all_.begin(), all_.end(), [&](const buffer& b) { return b.data == data; })->taken = false;
    given_.notify_all();
  }

 private:
  static constexpr std::size_t most = 4;  // as many as there are threads for the disk
  struct buffer {
    device::backend* owner;
    std::byte* data;
    std::int64_t bytes;
    bool taken;

    [[nodiscard]] bool suits(const device::backend& backend, std::int64_t wanted) const {
      return owner == &backend && bytes >= wanted;
    }
  };
  std::mutex mutex_;
  std::condition_variable given_;
  std::vector<buffer> all_;
  std::atomic<std::int64_t> used_{0};
};

}  // namespace tessera::memory
