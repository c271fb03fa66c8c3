#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "tessera/base/ids.h"
#include "tessera/memory/array_format.h"
#include "tessera/memory/device_pool.h"
#include "tessera/memory/local_device.h"
#include "tessera/memory/tracked_page.h"

namespace tessera::memory {

/// One array: its format and its copies.
struct array_entry {
  array_format format;
  std::vector<copy_span> copies;  ///< Per device.
  std::byte* host = nullptr;      ///< Memory of the caller, if it was adopted.

  /// What has happened when its contents are not being moved.
  void append_movements(std::vector<event>& to) const;
  /// Contents of it are being moved.
  [[nodiscard]] bool busy() const;
};

/// The spans of all arrays on all devices of this rank: addresses, which pages have memory, formats, and what is taken
/// of each device's memory. It never decides what is evicted and never waits. Devices are numbered within the rank. Not
/// thread-safe: every call needs the lock of memory.
class span_table {
 public:
  using array_map = std::unordered_map<array_id, array_entry>;

  explicit span_table(std::vector<local_device> devices);

  void declare(array_id id, const extents& shape, const dtype& type);
  /// Host memory of the caller, to be used as array `id` in the host's memory until it is taken.
  void adopt(array_id id, const extents& shape, const dtype& type, std::byte* data);
  /// Valid until the array is taken.
  [[nodiscard]] const array_format& format(array_id id) const { return arrays_.at(id).format; }
  /// Removes an array, and its pages from the lists of the pools; its memory stays counted until `free`.
  [[nodiscard]] array_map::node_type take(array_id id);
  /// Gives back the memory of all copies. Images must have been discarded before.
  void free(array_entry& e) noexcept;

  /// The copy of an array on a device. It has addresses if it is made of several pages; one of a single page gets them
  /// with its memory. Null if the device has no addresses left.
  [[nodiscard]] copy_span* span(array_id id, std::int32_t device) {
    array_entry& e = arrays_.at(id);
    copy_span& s = e.copies[static_cast<std::size_t>(device)];
    return s.page != 0 || begin(s, id, e.format, device) ? &s : nullptr;
  }
  /// Null if the array was not adopted.
  [[nodiscard]] std::byte* host_address(array_id id) const { return arrays_.at(id).host; }

  /// Gives memory to every page of `bounds` that has none, on a device that is not tracked. False if there is not
  /// enough; pages that got some keep it.
  [[nodiscard]] bool back(copy_span& s, const box& bounds) { return s.missing == 0 || back_missing(s, bounds); }
  /// Puts memory behind one page, whatever the budget says. False if the device has none.
  [[nodiscard]] bool back_page(copy_span& s, std::int64_t page);
  /// Takes the memory behind a page, and its contents with it.
  void unback(tracked_page& b) noexcept;

  /// From now on pages are kept for everything on `device`.
  void track(std::int32_t device);
  /// Calls visit(page, begin, end) for every page of a tracked span that holds bytes of `bounds`, ascending; [begin,
  /// end) is the range of bytes that it has a part in.
  template <class Visit>
  static void for_each_page(copy_span& s, const box& bounds, Visit visit) {
    for_each_range(*s.format, bounds, s.page, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin / s.page; k * s.page < end; ++k)
        visit(s.pages[static_cast<std::size_t>(k)], begin, end);
    });
  }
  /// Calls visit(page) for every page of every array, until it returns false.
  template <class Visit>
  void for_each_page(Visit visit) {
    for (auto& [id, e] : arrays_)
      for (copy_span& s : e.copies)
        for (tracked_page& b : s.pages)
          if (!visit(b)) return;
  }

  /// Bytes of the pages of `boxes` that have no memory, each page once.
  [[nodiscard]] std::int64_t missing_bytes(array_id id, std::int32_t device, std::span<const box> boxes) const;
  /// Bytes of a device's memory that an array has; none if there is no such array.
  [[nodiscard]] std::int64_t held_bytes(array_id id, std::int32_t device) const;
  /// True if the pages of `bounds` are a small part of the memory of a device.
  [[nodiscard]] bool is_small(array_id id, std::int32_t device, const box& bounds) const;

  [[nodiscard]] const std::vector<local_device>& devices() const { return devices_; }
  [[nodiscard]] const local_device& device_of(const tracked_page& b) const {
    return devices_[static_cast<std::size_t>(b.home->device)];
  }
  [[nodiscard]] std::vector<device_pool>& pools() { return pools_; }
  [[nodiscard]] const std::vector<device_pool>& pools() const { return pools_; }
  [[nodiscard]] device_pool& pool(std::int32_t device) { return pools_[static_cast<std::size_t>(device)]; }
  [[nodiscard]] const array_map& arrays() const { return arrays_; }

 private:
  void add(array_id id, array_format format, std::byte* data);
  bool begin(copy_span& s, array_id id, const array_format& format, std::int32_t device);
  bool back_missing(copy_span& s, const box& bounds);
  void make_pages(copy_span& s);

  const std::vector<local_device> devices_;
  std::vector<device_pool> pools_;
  bool origins_ = false;  // large arrays begin at places of their own (see array_origin.h)
  array_map arrays_;
};

}  // namespace tessera::memory
