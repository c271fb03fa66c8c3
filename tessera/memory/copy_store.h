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

  /// The first element of the array's copy on local device `device`, or in the host's memory if it is -1. Made on
  /// first use; throws `out_of_memory`, naming the live arrays, if there is no room.
  [[nodiscard]] std::byte* address(array_id id, std::int32_t device);
  /// Valid until the array is released.
  [[nodiscard]] const array_format& format(array_id id) const;

  /// Frees all copies.
  void release(array_id id) noexcept;

  [[nodiscard]] std::int64_t peak_bytes(int device) const;

 private:
  struct entry {
    array_format format;
    std::vector<std::byte*> copies;  // per device
    std::byte* host = nullptr;       // adopted
  };
  [[noreturn]] void throw_out_of_memory(array_id id, const entry& wanted, std::int32_t device) const;

  mutable std::mutex mutex_;
  std::vector<local_device> devices_;
  std::unordered_map<array_id, entry> arrays_;
  std::vector<std::int64_t> used_, peak_;
};

}  // namespace tessera::memory
