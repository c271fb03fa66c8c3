#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera {

/// Hashes tell differences, on every machine the same; they do not withstand forgers (sha256.h does).

/// Of bytes: as fast as memory is read.
[[nodiscard]] std::uint64_t hash_of(std::span<const std::byte> bytes, std::uint64_t seed = 0);

/// Of values one by one: for a few, whose bytes do not lie together.
class hasher {
 public:
  void add(std::uint64_t x) {
    value_ = (value_ ^ x) * 0xff51afd7ed558ccdULL;
    value_ ^= value_ >> 32;
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0x9e3779b97f4a7c15ULL;
};

}  // namespace tessera
