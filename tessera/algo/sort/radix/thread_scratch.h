#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "tessera/algo/sort/radix/codes.h"
#include "tessera/algo/sort/radix/line_stream.h"

namespace tessera::algo::sorting {

constexpr std::int64_t cache_bytes = 512 << 10;  ///< Records of so many bytes are sorted within a core's cache.
constexpr int most_digit_bits = 11;
constexpr int most_passes = 3;  ///< Over records in the cache.

/// What one thread sorts with, besides the records.
class thread_scratch {
 public:
  explicit thread_scratch(std::int64_t bytes)
      : bytes_(static_cast<std::byte*>(::operator new (static_cast<std::size_t>(bytes), std::align_val_t{page}))) {}

  /// Room for records that are sorted in the cache, or, in `cache_bytes`, for two lines for every digit.
  [[nodiscard]] std::byte* bytes() const { return bytes_.get(); }

  /// How many records have each digit, for every pass.
  std::array<std::array<std::uint32_t, std::size_t{1} << most_digit_bits>, most_passes> counts;

 private:
  static_assert(cache_bytes >= 2 * line_bytes << most_digit_bits);
  static constexpr std::size_t page = 4096;
  struct release {
    void operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{page}); }
  };
  std::unique_ptr<std::byte, release> bytes_;
};

/// The bits of the digit by which records of so many bytes, whose codes differ in `width` bits, are divided into parts
/// of `part` bytes: in as many levels of equal digits as are needed.
[[nodiscard]] inline int dividing_bits(std::int64_t bytes, std::int64_t part, int width) {
  if (width <= most_digit_bits) return width;
  const int wanted = bits_of(static_cast<std::uint64_t>((bytes - 1) / part));
  const int levels = std::max(1, (wanted + most_digit_bits - 1) / most_digit_bits);
  return std::clamp((wanted + levels - 1) / levels, 1, most_digit_bits);
}

}  // namespace tessera::algo::sorting
