#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <vector>

#include "tessera/base/event.h"
#include "tessera/memory/disk_queue.h"

/// What memory keeps of the blocks (pages of a copy) of devices that are short of memory. Of other devices nothing is
/// kept but which pages have memory.
namespace tessera::memory {

/// The positions in the instruction stream at which a block will be used, as far as they are known.
class use_times {
 public:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  void expect(std::uint64_t position) {
    if (times_.size() == first_ || times_.back() != position) times_.push_back(position);
  }
  /// The stream has come to `position`, which uses the block.
  void reach(std::uint64_t position) {
    while (first_ < times_.size() && times_[first_] <= position) ++first_;
    if (first_ == times_.size()) times_.clear(), first_ = 0;
    if (last_ != 0 && position > last_) interval_ = position - last_;
    last_ = position;
  }
  /// The next use; beyond what is known, as far away again as the last two uses were from each other; of two blocks
  /// that were used but once, the one that was used longer ago is taken to be used later.
  [[nodiscard]] std::uint64_t next(std::uint64_t now) const {
    if (first_ < times_.size()) return times_[first_];
    constexpr std::uint64_t far = std::uint64_t{1} << 62;
    return interval_ != 0 ? std::max(last_ + interval_, now + 1) : far + (now - std::min(now, last_));
  }

  /// The position that used it last.
  [[nodiscard]] std::uint64_t last() const { return last_; }

 private:
  std::vector<std::uint64_t> times_;  // ascending; those before first_ have passed
  std::size_t first_ = 0;
  std::uint64_t last_ = 0, interval_ = 0;
};

/// The contents of a block below its device: in host memory, on the disk, or on the way there.
struct image {
  std::byte* host = nullptr;
  std::shared_ptr<disk_record> disk;
  event ready;                      ///< Of the contents.
  std::atomic<bool> failed{false};  ///< It could not be made; set before `ready` happens.
  std::exception_ptr why;
  std::uint64_t stamp = 0;  ///< Of the reservation that had it made.

  // On the way from host memory to the disk.
  std::shared_ptr<disk_record> demoted;
  event copied;
  std::atomic<bool> demotion_outdated{false};  ///< The contents have changed since, or could not be written.

  /// Nothing is being copied to it or from it to the disk.
  [[nodiscard]] bool settled() const { return ready.done() && copied.done(); }
};

struct copy_span;

struct block {
  copy_span* home = nullptr;
  std::int64_t begin = 0;  ///< Within the span.
  std::int64_t bytes = 0;  ///< That it costs its device.

  bool resident = false;  ///< Has memory of the device.
  bool defined = false;   ///< Holds something.
  bool dirty = false;     ///< Holds more than its image.
  bool leaving = false;   ///< Loses its memory as soon as nobody uses it.
  event arrival;          ///< Of the contents on the device.
  std::vector<event> users;
  std::shared_ptr<image> below;  ///< Null if there is none.
  use_times uses;
  std::size_t place = 0;  ///< Among the blocks that its device holds.

  // Of the reservation that is being made.
  std::uint64_t stamp = 0;
  bool read = false, written = false, overwritten = false;

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

}  // namespace tessera::memory
