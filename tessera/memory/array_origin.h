#pragma once

#include <cstdint>

#include "tessera/base/ids.h"

/// Large arrays do not begin at the beginning of a page but at a place of their own in it: processors take a load for
/// one of a recent store whose address ends in the same 12 bits, and a kernel that reads one array and writes another,
/// both at the same index, then runs at half its speed or less. On CPUs only: GPUs do not do that. A multiple of 256
/// bytes, so that alignment is kept.
namespace tessera {

/// Where memory is small beside its pages arrays begin with a page, so that parts that are worked on one after the
/// other do not share one.
inline constexpr std::int64_t memory_for_origins = std::int64_t{2} << 30;
/// What a device with so much memory keeps free because of that: a page for each array of a launch.
[[nodiscard]] constexpr std::int64_t room_for_origins(std::int64_t memory) {
  return memory >= memory_for_origins ? std::int64_t{32} << 20 : 0;
}

/// Bytes in front of the first element. Arrays made one after the other lie far from each other.
[[nodiscard]] constexpr std::int64_t array_origin(array_id id, std::int64_t bytes) {
  constexpr std::int64_t large = std::int64_t{1} << 20;
  if (bytes < large) return 0;
  const std::uint64_t n = id.value % 16;
  return static_cast<std::int64_t>((n & 1) << 3 | (n & 2) << 1 | (n & 4) >> 1 | n >> 3) * 256;
}

}  // namespace tessera
