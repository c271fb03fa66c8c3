#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tessera/base/event.h"
#include "tessera/base/ids.h"
#include "tessera/memory/array_format.h"
#include "tessera/memory/listener.h"
#include "tessera/memory/local_device.h"
#include "tessera/memory/memory_lock.h"
#include "tessera/memory/reclaimer.h"
#include "tessera/memory/reservation.h"
#include "tessera/memory/retired_arrays.h"
#include "tessera/memory/span_table.h"
#include "tessera/memory/spill/image_store.h"
#include "tessera/memory/spill/spill_targets.h"

namespace tessera::memory {

/// Where the bytes of every copy are. Devices hold what fits; when one is short of memory, the pages whose next planned
/// use is farthest are evicted to host memory or the disk and come back when an instruction wants them (rules E1 to
/// E7).
///
/// One thread, the executor, calls `announce`, `reserve` and `reserved_for`, one instruction after the other in the
/// order of the plan, and may have to wait for memory; what it waits for was issued before and needs no more memory to
/// end. Everything else may be called from any thread. One lock (`memory_lock.h`) guards all that is behind this class:
///
///   span_table      addresses, pages and formats of every copy, and what is taken of each device
///   image_store     contents of evicted pages
///   retired_arrays  released arrays whose contents are still being moved
///   reclaimer       makes room; asks the evictor, which is pure, what to evict
class residency {
 public:
  residency(std::vector<local_device> devices, spill_targets below);
  ~residency();
  residency(const residency&) = delete;
  residency& operator=(const residency&) = delete;

  /// Before the first reservation. `to` lives until `disconnect`, or longer than this.
  void connect(listener& to);
  /// After the last reservation: waits until nothing is being moved, and forgets the listener.
  void disconnect();

  void declare(array_id id, const extents& shape, const dtype& type);
  /// Host memory of the caller, to be used as array `id` in the host's memory until `release`.
  void adopt(array_id id, const extents& shape, const dtype& type, std::byte* data);
  /// Nothing that is issued from now on uses an array, and `release` is called when `last_uses` have happened.
  void expect_release(array_id id, std::vector<event> last_uses);
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
  /// True if `bounds` is a small part of the memory of its device, so that it is reserved in one piece.
  [[nodiscard]] bool is_small(array_id id, std::int32_t device, const box& bounds) const;
  /// The work that the last reservation was made for ends with `last`.
  void reserved_for(const event& last);

  /// The first element of the array's copy on local device `device`, or in the host's memory if it is -1. What a
  /// kernel may touch of it was reserved before.
  [[nodiscard]] std::byte* address(array_id id, std::int32_t device);

  /// Host memory for a message. It counts as host memory for evicted contents, which make way.
  [[nodiscard]] std::shared_ptr<std::byte> stage(std::int64_t bytes);

  /// Host memory for the program that copies of all devices reach at the speed of their links. It counts as host memory
  /// for evicted contents, which make way; freed before this ends, from any thread. Throws `out_of_memory`.
  [[nodiscard]] std::shared_ptr<std::byte> lend(std::int64_t bytes);

  [[nodiscard]] std::int64_t peak_bytes(int device) const;
  /// Bytes that a device would hold in addition if `boxes` lay in its memory.
  [[nodiscard]] std::int64_t missing_bytes(array_id id, std::int32_t device, std::span<const box> boxes) const;
  [[nodiscard]] spill_counters counters() const;
  /// Frees first what nothing uses any more.
  [[nodiscard]] memory_levels levels();
  /// "cpu:0 holds 3 of 4 bytes; ...": every memory and the live arrays.
  [[nodiscard]] std::string describe() const;

 private:
  void make_host_room(std::int64_t bytes);
  [[nodiscard]] copy_span& span_of(array_id id, std::int32_t device);
  void track(std::int32_t device, memory_lock& held);
  void back(copy_span& s, const box& bounds, memory_lock& held);
  void touch(const use& u);
  void reserve_pages(std::span<const use> uses, std::vector<event>& waits, workspace besides, memory_lock& held);
  void bring(tracked_page& b, std::vector<event>& waits, memory_lock& held);

  listener* listener_ = nullptr;
  mutable memory_mutex mutex_;  // guards all below
  std::atomic<bool> short_{false};
  spill_counters counters_;
  reservation now_;
  span_table spans_;
  image_store images_;
  retired_arrays retired_;
  reclaimer reclaimer_;
};

}  // namespace tessera::memory
