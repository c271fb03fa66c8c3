#pragma once

#include <cstddef>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "tessera/base/box.h"
#include "tessera/base/dtype.h"
#include "tessera/base/ids.h"
#include "tessera/device/backend.h"

namespace tessera::memory {

/// A device of this rank: who drives it and its number there.
struct local_device {
  device::backend* backend = nullptr;
  int index = 0;
};

/// What an array looks like in memory. Strides are in bytes, last axis contiguous.
struct array_format {
  extents shape;
  dtype type;
  extents strides;
  std::int64_t bytes = 0;

  static array_format of(const extents& shape, const dtype& type);
};

/// Where the bytes of every copy are: one span of the whole array per (array, memory), so that element x lies at
/// base + offset(x) with the array's own strides (rule E1). A span costs address space, not memory, until touched.
/// Thread-safe.
class copy_store {
 public:
  explicit copy_store(std::vector<local_device> devices);
  ~copy_store();
  copy_store(const copy_store&) = delete;
  copy_store& operator=(const copy_store&) = delete;

  void declare(array_id id, const extents& shape, const dtype& type);
  /// Host memory of the caller, to be used as array `id` in the host's memory until `release`.
  void adopt(array_id id, const extents& shape, const dtype& type, std::byte* data);

  /// Puts memory behind `where` of the copy on local device `device`, before work touches it. Throws `out_of_memory`,
  /// naming the live arrays, if there is no room.
  void back(array_id id, std::int32_t device, const box& where);

  /// The first element of the array's copy on local device `device`, or in the host's memory if it is -1. Made on
  /// first use; throws `out_of_memory` as `back` does.
  [[nodiscard]] std::byte* address(array_id id, std::int32_t device);
  /// Valid until the array is released.
  [[nodiscard]] const array_format& format(array_id id) const;

  /// Frees all copies.
  void release(array_id id) noexcept;

  [[nodiscard]] std::int64_t peak_bytes(int device) const;

 private:
  /// The span of one array on one device, and which pages of it are there.
  struct span {
    std::byte* data = nullptr;
    std::int64_t page = 0;
    std::vector<bool> backed;
    std::size_t missing = 0;  // pages not backed
  };
  struct entry {
    array_format format;
    std::vector<span> copies;   // per device
    std::byte* host = nullptr;  // adopted
  };
  span& make(array_id id, entry& e, std::int32_t device);
  void back_bytes(array_id id, entry& e, std::int32_t device, std::int64_t begin, std::int64_t end);
  void back_box(array_id id, entry& e, std::int32_t device, const box& where, int axis, std::int64_t offset);
  [[noreturn]] void throw_out_of_memory(array_id id, const entry& wanted, std::int32_t device) const;

  mutable std::mutex mutex_;
  std::vector<local_device> devices_;
  std::unordered_map<array_id, entry> arrays_;
  std::vector<std::int64_t> used_, peak_;
};

}  // namespace tessera::memory
