#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "tessera/memory/local_device.h"
#include "tessera/memory/spill/bounce_reserve.h"
#include "tessera/memory/staging.h"

namespace tessera::memory {

/// The host memory that memory/ takes: images of pages, what passes between devices and the disk, messages, and what
/// the program has borrowed. It keeps the count; only images are held within the budget, since they alone can go
/// elsewhere. Images need the lock of memory; the rest is thread-safe.
class host_pool {
 public:
  host_pool(std::int64_t budget, std::int64_t lendable) : budget_(budget), lendable_(lendable) {}

  /// Host memory for an image of a page of `on`, within the budget; null if there is none.
  [[nodiscard]] std::byte* take(const local_device& on, std::int64_t bytes);
  void give(const local_device& on, std::byte* data, std::int64_t bytes) noexcept;
  [[nodiscard]] bool has_room(std::int64_t bytes) const { return used() + bytes <= budget_; }

  /// Host memory for a message, whatever the budget says.
  [[nodiscard]] std::shared_ptr<std::byte> stage(std::int64_t bytes) { return messages_->take(bytes); }
  /// Host memory for the program that `on` reaches at the speed of its link, whatever the budget says; given back
  /// before this pool ends. Throws `out_of_memory` if the program would have more than it may borrow, or the system has
  /// no more.
  [[nodiscard]] std::shared_ptr<std::byte> lend(const local_device& on, std::int64_t bytes);
  /// What passes from the disk to devices, and back.
  [[nodiscard]] bounce_reserve& inward() { return inward_; }
  [[nodiscard]] bounce_reserve& outward() { return outward_; }

  [[nodiscard]] std::int64_t budget() const { return budget_; }
  [[nodiscard]] std::int64_t used() const {
    return images_ + inward_.used() + outward_.used() + messages_->used() + lent_;
  }
  /// "5 of 8 bytes, 2 of them for messages, 1 lent to the program"
  [[nodiscard]] std::string describe() const;

 private:
  const std::int64_t budget_, lendable_;
  std::int64_t images_ = 0;
  std::atomic<std::int64_t> lent_{0};
  bounce_reserve inward_, outward_;
  std::shared_ptr<staging> messages_ = std::make_shared<staging>();
};

}  // namespace tessera::memory
