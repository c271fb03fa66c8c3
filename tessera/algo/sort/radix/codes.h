#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

/// Codes are unsigned numbers that order as keys do, or the other way round; equal keys have one code.
namespace tessera::algo::sorting {

/// The bits that a number needs.
[[nodiscard]] inline int bits_of(std::uint64_t number) { return 64 - std::countl_zero(number); }

/// Of integers: bits, some of them flipped.
template <class Bits>
struct integer_codes {
  using bits = Bits;
  Bits flipped;

  [[nodiscard]] Bits operator()(Bits key) const { return static_cast<Bits>(key ^ flipped); }
};

/// Of floating-point numbers: -0 is +0, and NaN follows everything in either order.
template <class Bits>
struct float_codes {
  using bits = Bits;
  Bits infinity;  ///< Its bits, which tell the formats of 16 bits apart.
  Bits reversed;  ///< All ones for the other way round, or 0.

  [[nodiscard]] Bits operator()(Bits key) const {
    constexpr int width = std::numeric_limits<Bits>::digits;
    constexpr auto sign = static_cast<Bits>(Bits{1} << (width - 1));
    const auto magnitude = static_cast<Bits>(key & static_cast<Bits>(~sign));
    const auto negative = static_cast<Bits>((Bits{0} - (key >> (width - 1))) ^ reversed);
    const auto code = static_cast<Bits>(sign + static_cast<Bits>(magnitude ^ negative) - negative);
    return magnitude > infinity ? std::numeric_limits<Bits>::max() : code;
  }
};

/// Some bits of what codes are above `least`.
template <class Codes>
struct digit_of {
  using bits = typename Codes::bits;
  Codes codes;
  bits least;
  int shift;
  bits mask;

  [[nodiscard]] std::size_t operator()(bits key) const {
    return static_cast<std::size_t>(static_cast<bits>(codes(key) - least) >> shift) & mask;
  }
};

}  // namespace tessera::algo::sorting
