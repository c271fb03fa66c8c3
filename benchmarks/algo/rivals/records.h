#pragma once

#include <cstdint>

#include "tessera/algo/function/device_text.h"

/// Elements that are sorted, on both sides.
namespace tessera::bench {

/// A key and a value of eight bytes each.
struct key_and_place {
  std::uint64_t key, place;
};

// clang-format off
TS_DEVICE(
/// 24 bytes with a key of 8.
struct key_and_more {
  double key;
  long more[2];
};
struct earlier_key {
  bool operator()(const key_and_more& a, const key_and_more& b) const { return a.key < b.key; }
};)
// clang-format on

}  // namespace tessera::bench
