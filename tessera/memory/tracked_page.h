#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include "tessera/base/event.h"
#include "tessera/base/ids.h"
#include "tessera/memory/array_format.h"
#include "tessera/memory/spill/disk_queue.h"
#include "tessera/memory/use_times.h"

/// The records of one array's copy on one device: its span of addresses, the pages of that span, and what lies
/// below a page. Plain data of the executor thread, guarded by the lock of memory (`memory_lock.h`).
namespace tessera::memory {

/// The contents of a page below its device: in host memory, on the disk, or on the way there.
struct image {
  std::byte* host = nullptr;
  std::shared_ptr<disk_record> disk;
  event ready;                      ///< Of the contents.
  std::atomic<bool> failed{false};  ///< It could not be made; set before `ready` happens.
  std::exception_ptr reason;
  std::uint64_t reservation = 0;  ///< The number of the one that had it made.

  // On the way from host memory to the disk.
  std::shared_ptr<disk_record> demoted;
  event copied;
  std::atomic<bool> demotion_outdated{false};  ///< The contents have changed since, or could not be written.

  /// Nothing is being copied to it or from it to the disk.
  [[nodiscard]] bool settled() const { return ready.done() && copied.done(); }
};

struct copy_span;

/// A page of a copy. Kept for devices that are short of memory; of other devices only which pages have memory is kept.
struct tracked_page {
  copy_span* home = nullptr;
  std::int64_t begin = 0;  ///< Within the span.
  std::int64_t bytes = 0;  ///< Of its contents, and what it costs its device.

  bool resident = false;  ///< Has memory of the device.
  bool defined = false;   ///< Holds something.
  bool dirty = false;     ///< Holds more than its image.
  bool evicting = false;  ///< Loses its memory as soon as nothing uses it.
  event arrival;          ///< Of the contents on the device.
  std::vector<event> users;
  std::shared_ptr<image> below;  ///< Null if there is none.
  use_times uses;
  std::size_t place = 0;  ///< Among the pages that its device holds.

  // Of the last reservation that wanted it.
  std::uint64_t reservation = 0;
  bool read = false, written = false, overwritten = false;

  [[nodiscard]] inline std::byte* data() const;
  /// Nothing that was issued uses it any more.
  [[nodiscard]] bool unused() const {
    if (!arrival.done()) return false;
    for (const event& e : users)
      if (!e.done()) return false;
    return true;
  }
  /// Nor is it being copied.
  [[nodiscard]] bool idle() const { return unused() && (!below || below->settled()); }
  /// What has happened when its contents are not being copied.
  [[nodiscard]] std::vector<event> movements() const {
    if (!below) return {arrival};
    return {arrival, below->ready, below->copied};
  }
  /// What has happened when it is idle.
  [[nodiscard]] std::vector<event> pending() const {
    std::vector<event> all = movements();
    all.insert(all.end(), users.begin(), users.end());
    return all;
  }
  void add_user(const event& e) {
    for (event& u : users)
      if (u.line == e.line) {
        u.step = std::max(u.step, e.step);
        return;
      }
    users.push_back(e);
  }
};

/// The span of one array on one device: element x lies at data + origin + offset(x) with the array's own strides (rule
/// E1).
struct copy_span {
  array_id array;
  std::int32_t device = 0;
  const array_format* format = nullptr;
  std::byte* data = nullptr;  ///< Null: none yet, or a single page that has no memory.
  std::int64_t page = 0;      ///< Bytes; 0: nothing has used this copy yet.
  std::vector<bool> backed;   ///< Per page, while the device is not short of memory.
  std::size_t missing = 0;
  std::vector<tracked_page> pages;  ///< Per page, once it is.

  [[nodiscard]] std::int64_t page_length(std::int64_t number) const {
    return std::min(page, format->bytes - number * page);
  }
  /// Bytes of its pages that have memory.
  [[nodiscard]] std::int64_t held_bytes() const {
    std::int64_t bytes = 0;
    for (std::size_t k = 0; k < backed.size(); ++k) {
      const bool is_resident = pages.empty() ? static_cast<bool>(backed[k]) : pages[k].resident;
      if (is_resident) bytes += page_length(static_cast<std::int64_t>(k));
    }
    return bytes;
  }
};

std::byte* tracked_page::data() const { return home->data + begin; }

}  // namespace tessera::memory
