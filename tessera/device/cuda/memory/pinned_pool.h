#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <vector>

namespace tessera::device::cuda {

/// Page-locked host memory in buffers of powers of two, kept for use again. Where the driver makes it itself, locking
/// takes half a second per GiB, nearly all of it for clearing pages on one core. So buffers from 1 MiB on are cut from
/// blocks of ordinary memory in huge pages, which are cleared and locked part by part on all cores. Blocks grow with
/// the pool, to a thirty-second of it. Thread-safe; a GPU's context must be current.
class pinned_pool {
 public:
  /// Throws `out_of_memory`.
  [[nodiscard]] std::byte* take(std::int64_t bytes);
  void give(std::byte* buffer, std::int64_t bytes) noexcept;
  /// True if `address` lies in a buffer of this pool.
  [[nodiscard]] bool owns(const std::byte* address) const noexcept;

 private:
  static std::size_t size_class(std::int64_t bytes) noexcept;
  [[nodiscard]] std::byte* take_unused(std::size_t size_class);
  [[nodiscard]] std::span<std::byte> make_block(std::size_t buffer_bytes) const;

  std::mutex growth_;  // held while a block is made; before `mutex_`
  mutable std::mutex mutex_;
  std::map<const std::byte*, std::size_t> blocks_;  // all of them, with their sizes
  std::size_t bytes_ = 0;                           // of all blocks
  std::array<std::vector<std::byte*>, 48> unused_;
};

}  // namespace tessera::device::cuda
