#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "tessera/base/ids.h"
#include "tessera/device/backend.h"
#include "tessera/memory/array_format.h"
#include "tessera/memory/block.h"
#include "tessera/memory/bounce_reserve.h"
#include "tessera/memory/disk_queue.h"
#include "tessera/memory/spill_file.h"
#include "tessera/memory/staging.h"

namespace tessera::memory {

/// A device of this rank: who drives it and its number there.
struct local_device {
  device::backend* backend = nullptr;
  int index = 0;
};

/// One access of an instruction to the copy of an array on a device.
struct use {
  array_id array;
  std::int32_t device = 0;  ///< Within this rank; the host's memory needs no reservation.
  const box* where = nullptr;
  bool written = false;
};

/// What an instruction needs of a device besides arrays, until it ends.
struct workspace {
  std::int32_t device = 0;
  std::int64_t bytes = 0;
};

/// Below the devices.
struct tiers {
  std::int64_t host = 0;  ///< Bytes of host memory for what leaves devices and ranks; 0: it goes to the disk at once.
  std::string spill_directory;
  std::int64_t spill_limit = 0;
  file_calls system = file_calls::of_the_system();
};

/// What has been moved for want of memory.
struct spill_counters {
  std::int64_t evictions = 0;       ///< Blocks that lost their memory.
  std::int64_t spilled_bytes = 0;   ///< Written to host memory or disk because of that.
  std::int64_t reloaded_bytes = 0;  ///< Brought back.
  std::int64_t disk_written_bytes = 0;
  std::int64_t disk_read_bytes = 0;
  std::int64_t waited_ns = 0;  ///< By the executor, for memory.
};

/// The span of one array on one device: element x lies at data + origin + offset(x) with the array's own strides (rule
/// E1).
struct copy_span {
  array_id array;
  std::int32_t device = 0;
  const array_format* format = nullptr;
  std::byte* data = nullptr;  ///< Null: none yet, or a single block that has no memory.
  std::int64_t page = 0;
  std::vector<bool> backed;  ///< Per page, while the device is not short of memory.
  std::size_t missing = 0;
  std::vector<block> blocks;  ///< Per page, once it is.
};

/// Where the bytes of every copy are. Devices hold what fits; when one is short of memory, the blocks whose next
/// planned use is farthest leave it for host memory or the disk and come back when an instruction wants them (rules E1
/// to E7).
///
/// One thread, the executor, makes reservations, one instruction after the other in the order of the plan, and may have
/// to wait for memory; what it waits for was issued before and needs no more memory to end. Everything else may be
/// called from any thread.
class residency {
 public:
  /// Contents on their way between a device and what lies below it.
  struct movement {
    const char* what = "";
    array_id array;
    std::int32_t device = 0;
    bool out = false;   ///< Of the device.
    bool disk = false;  ///< To or from the disk, else host memory.
    std::int64_t bytes = 0;
  };
  struct hooks {
    /// Blocks until everything issued so far has ended.
    std::function<void()> quiesce;
    /// Elements of a copy could not be brought back.
    std::function<void(array_id, std::int32_t device, const std::vector<box>&, std::exception_ptr)> lost;
    /// Something was moved; may be null.
    std::function<void(const movement&, disk_queue::clock::time_point begin, disk_queue::clock::time_point end)> moved;
  };

  residency(std::vector<local_device> devices, tiers below);
  ~residency();
  residency(const residency&) = delete;
  residency& operator=(const residency&) = delete;

  /// Before the first reservation.
  void connect(hooks to) { hooks_ = std::move(to); }

  void declare(array_id id, const extents& shape, const dtype& type);
  /// Host memory of the caller, to be used as array `id` in the host's memory until `release`.
  void adopt(array_id id, const extents& shape, const dtype& type, std::byte* data);
  /// Frees all copies.
  void release(array_id id) noexcept;
  /// Valid until the array is released.
  [[nodiscard]] const array_format& format(array_id id) const;

  /// True once some device is short of memory: only then uses need to be announced.
  [[nodiscard]] bool wants_announcements() const noexcept { return short_.load(std::memory_order_relaxed); }
  /// An instruction to come, at `position` of the stream, will make these uses.
  void announce(std::uint64_t position, std::span<const use> uses);

  /// Makes all that is used lie in the memory of its devices, for the instruction at `position`, and keeps what it
  /// needs `besides` free. It may begin when `waits` have happened. Throws `out_of_memory`, naming the live arrays and
  /// every memory, if it never can.
  void reserve(std::uint64_t position, std::span<const use> uses, std::vector<event>& waits, workspace besides = {});
  /// True if `reserve` would find memory for `uses` without waiting and without taking any from others, and leave
  /// `besides` bytes of each device free. False once some device is short of memory.
  [[nodiscard]] bool has_room(std::span<const use> uses, std::span<const std::int64_t> besides) const;
  /// True if `where` is a small part of the memory of its device, so that it is reserved in one piece.
  [[nodiscard]] bool is_small(array_id id, std::int32_t device, const box& where) const;
  /// The work that the last reservation was made for ends with `last`.
  void reserved_for(const event& last);

  /// The first element of the array's copy on local device `device`, or in the host's memory if it is -1. What a
  /// kernel may touch of it was reserved before.
  [[nodiscard]] std::byte* address(array_id id, std::int32_t device);

  /// Host memory for a message. It counts as host memory for what leaves devices, which makes way.
  [[nodiscard]] std::shared_ptr<std::byte> stage(std::int64_t bytes);

  [[nodiscard]] std::int64_t peak_bytes(int device) const;
  [[nodiscard]] spill_counters counters() const;
  /// "cpu:0: 3 MiB of 4 MiB, ...": every memory and the live arrays.
  [[nodiscard]] std::string describe() const;

 private:
  struct entry {
    array_format format;
    std::vector<copy_span> copies;  // per device
    std::byte* host = nullptr;      // adopted
  };
  /// One device's memory.
  struct pool {
    std::int64_t budget = 0, used = 0, peak = 0;
    bool tracked = false;          // short of memory: blocks are kept
    std::vector<block*> resident;  // if tracked
    std::vector<block*> leaving;
    std::deque<std::pair<event, std::int64_t>> under_way;  // instructions and the bytes they use
    std::deque<std::pair<event, std::int64_t>> lent;       // instructions and their workspace

    [[nodiscard]] bool has_room(std::int64_t bytes) const { return bytes <= budget - used; }
    void count(std::int64_t bytes) {
      used += bytes;
      peak = std::max(peak, used);
    }
    void take_back_workspace() {
      std::erase_if(lent, [&](const auto& l) { return l.first.done() && (used -= l.second, true); });
    }
  };
  /// Nobody waits for anything while holding it: what is waited for may need it to happen.
  using lock = std::unique_lock<std::mutex>;
  /// Releases the lock for as long as `wait` takes; blocks stay where they are meanwhile.
  template <class Wait>
  void pinned(lock& held, Wait wait) {
    pinned_ = true;
    held.unlock();
    wait();
    held.lock();
    pinned_ = false;
  }

  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
  void add(array_id id, array_format format, std::byte* data);
  copy_span& span_of(array_id id, entry& e, std::int32_t device);
  bool back_all(copy_span& s, const box& where);
  bool back_page(copy_span& s, std::int64_t page);
  void track(std::int32_t device, lock& held);
  void make_blocks(copy_span& s);
  void touch(const use& u);
  void make_room(std::int32_t device, std::int64_t bytes, lock& held);
  [[nodiscard]] std::vector<block*> candidates(std::int32_t device, bool now) const;
  void leave(block& b, lock& held);
  bool have_leave(const std::vector<block*>& victims, std::int64_t bytes, lock& held);
  bool choose_victims(std::int32_t device, std::int64_t bytes, lock& held);
  void leave_ahead(std::int32_t device, std::int64_t bytes, lock& held);
  void drop_idle(std::int32_t device);
  void wait_for_under_way(std::int32_t device, lock& held);
  void wait(const std::vector<event>& events, lock& held);
  void give_memory(block& b, lock& held);
  void drop(block& b) noexcept;
  void forget_resident(block& b) noexcept;
  [[nodiscard]] std::vector<event> for_queue(const device::backend& b, const std::vector<event>& events, lock& held);
  std::byte* take_bounce(bounce_reserve& from, const block& b, lock& held);
  void depart(block& b, lock& held);
  void arrive(block& b, lock& held);
  void depart_to_disk(block& b, std::vector<event> after, const disk_queue::ended& ended, lock& held);
  [[nodiscard]] std::int64_t host_taken() const;
  bool host_room(std::int64_t bytes);
  std::byte* take_host(const block& b);
  std::shared_ptr<disk_record> make_record(const block& b, const slot& where);
  void demote_what_is_wanted_after(const block& b);
  void find_coldest();
  void demote(block& b);
  void settle_demotions() noexcept;
  void discard_image(block& b) noexcept;
  std::byte* take_outdated(const block& b) noexcept;
  [[nodiscard]] std::int64_t length(const block& b) const;
  [[nodiscard]] std::byte* data_of(const block& b) const { return b.home->data + b.begin; }
  void bury_the_dead() noexcept;
  void release_now(array_id id) noexcept;
  void destroy(entry& e) noexcept;
  static bool busy(const entry& e);
  [[noreturn]] void throw_out_of_memory(std::int32_t device, std::int64_t bytes, array_id wanted) const;
  [[nodiscard]] std::string describe_locked() const;

  const std::vector<local_device> devices_;
  const tiers below_;
  hooks hooks_;

  bool origins_ = false;  // large arrays begin at places of their own (see base/array_origin.h)
  mutable std::mutex mutex_;
  std::unordered_map<array_id, entry> arrays_;
  std::vector<pool> pools_;
  std::list<std::unordered_map<array_id, entry>::node_type> dead_;  // released while something moved their bytes
  bool pinned_ = false;
  std::vector<array_id> released_;  // while blocks had to stay where they are
  std::atomic<bool> short_{false};
  std::int64_t host_used_ = 0;  // by images
  workspace unclaimed_;         // of the last reservation, until it is known when its work ends
  std::uint64_t stamp_ = 0, position_ = 0, generation_ = 0;
  std::vector<block*> touched_;  // by the last reservation
  spill_counters counters_;

  std::vector<block*> demoting_;
  std::vector<block*> coldest_;  // candidates to be demoted, the best at the end
  std::size_t patience_ = 0;     // blocks to go to the disk before looking for such candidates again

  bounce_reserve bounces_in_, bounces_out_;
  std::shared_ptr<staging> messages_ = std::make_shared<staging>();
  spill_file file_;
  disk_queue disk_{file_};
};

}  // namespace tessera::memory
