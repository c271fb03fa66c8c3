#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "tessera/algo/container/coherence/linear_range.h"

namespace tessera::algo {

/// The elements of a window that proxies reach with one compare and one load: a range that is valid, and one that may
/// be written, together with what has been written of it. `storage` opens ranges and takes note of them when it closes
/// them; until then this alone knows what has changed.
struct open_elements {
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  std::byte* data = nullptr;  ///< Element 0.
  std::int64_t read_lo = 0;
  std::uint64_t read_count = 0;
  std::int64_t write_lo = 0;
  std::uint64_t write_count = 0;
  /// Where elements that are not valid begin, which may be written one after the other: the range then grows.
  std::int64_t grow_at = never;
  std::int64_t grow_end = 0;
  linear_range changed{never, 0};
  /// The element that `push_back` adds, if it may be added to the open range, and where that ends.
  std::int64_t tail = never, tail_end = 0;

  /// Null if the range is not open.
  [[nodiscard]] const std::byte* readable(std::int64_t offset, std::size_t bytes) const {
    if (static_cast<std::uint64_t>(offset - read_lo) >= read_count) return nullptr;
    return data + static_cast<std::size_t>(offset) * bytes;
  }
  /// As `readable`; the element counts as changed.
  [[nodiscard]] std::byte* writable(std::int64_t offset, std::size_t bytes) {
    if (static_cast<std::uint64_t>(offset - write_lo) >= write_count) return nullptr;
    note(offset);
    return data + static_cast<std::size_t>(offset) * bytes;
  }
  /// The element behind the last one, which now belongs to the range; null if it must be made room for.
  [[nodiscard]] std::byte* append(std::int64_t offset, std::size_t bytes) {
    if (offset != tail || offset >= tail_end) return nullptr;
    grow_at = grow_end = changed.hi = ++tail;
    write_count = static_cast<std::uint64_t>(tail - write_lo);
    return data + static_cast<std::size_t>(offset) * bytes;
  }
  void note(std::int64_t offset) {
    if (offset < changed.lo) changed.lo = offset;
    if (offset >= changed.hi) changed.hi = offset + 1;
    if (offset == grow_at && ++grow_at < grow_end) ++write_count;
  }
};

}  // namespace tessera::algo
