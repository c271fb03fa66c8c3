#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

/// 16-bit floating-point numbers as elements of arrays: `float16` is CUDA's `__half`, `bfloat16` its `__nv_bfloat16`.
/// They hold bits and convert; arithmetic and comparison happen in float, to which they convert by themselves.
/// Conversions to them are asked for, `float16(x)`, and round once, to the nearest value, ties to even, whatever
/// arithmetic type x has; what lies beyond the largest value becomes infinity, and a NaN stays one.
namespace tessera {

namespace detail {

constexpr std::uint16_t float16_bits(float x) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000U);
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const auto with_sign = [sign](std::uint32_t m) { return static_cast<std::uint16_t>(sign | m); };
  if (magnitude > 0x7f800000U) return with_sign(0x7e00U);
  if (magnitude >= 0x477ff000U) return with_sign(0x7c00U);  // 65520, halfway between the largest value and 2^16
  if (magnitude >= 0x38800000U) {                           // 2^-14, the least normal value
    const std::uint32_t rebased = magnitude - 0x38000000U;
    return with_sign((rebased + 0xfffU + (rebased >> 13 & 1U)) >> 13);
  }
  const std::uint32_t shift = 126U - (magnitude >> 23);  // from the mantissa's unit to 2^-24
  if (shift > 25U) return sign;
  const std::uint32_t mantissa = (magnitude & 0x7fffffU) | 0x800000U;
  const std::uint32_t whole = mantissa >> shift;
  const std::uint32_t rest = mantissa & ((1U << shift) - 1U), half = 1U << (shift - 1U);
  return with_sign(whole + (rest > half || (rest == half && (whole & 1U) != 0) ? 1U : 0U));
}

constexpr float float16_value(std::uint16_t bits) noexcept {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
  const std::uint32_t magnitude = bits & 0x7fffU;
  if (magnitude >= 0x7c00U) return std::bit_cast<float>(sign | 0x7f800000U | (magnitude & 0x3ffU) << 13);
  if (magnitude >= 0x400U) return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000U));
  const float value = static_cast<float>(magnitude) * 0x1p-24F;
  return sign == 0 ? value : -value;
}

constexpr std::uint16_t bfloat16_bits(float x) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  if ((bits & 0x7fffffffU) > 0x7f800000U) return static_cast<std::uint16_t>(bits >> 16 | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
}

constexpr float bfloat16_value(std::uint16_t bits) noexcept {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// A float between which and x no number of 16 bits lies, nor a middle of two: inexact values get an odd last bit.
constexpr float rounded_to_odd(double x) noexcept {
  const auto nearest = static_cast<float>(x);
  const auto exact = static_cast<double>(nearest);
  const auto bits = std::bit_cast<std::uint32_t>(nearest);
  if (exact == x || x != x || (bits & 1U) != 0 || (bits & 0x7fffffffU) == 0x7f800000U) return nearest;
  const bool away_from_zero = x > 0 ? exact < x : exact > x;
  if ((bits & 0x7fffffffU) == 0) return std::bit_cast<float>(bits | 1U);
  return std::bit_cast<float>(away_from_zero ? bits + 1U : bits - 1U);
}

/// A float that rounds to 16 bits as x does.
template <class T>
constexpr float narrowed(T x) noexcept {
  if constexpr (std::is_same_v<T, float>) {
    return x;
  } else if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    const bool negative = x < T(0);
    std::uint64_t magnitude = negative ? 0U - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
    constexpr std::uint64_t low = 0x7ff;  // what a double cannot hold of the largest
    if (magnitude >> 53 != 0 && (magnitude & low) != 0) magnitude = (magnitude & ~low) | (low + 1);
    const float value = rounded_to_odd(static_cast<double>(magnitude));
    return negative ? -value : value;
  } else {
    return rounded_to_odd(static_cast<double>(x));
  }
}

/// What `Number`, derived from it, can do: it is made of any built-in number and used as a float is.
template <class Number, std::uint16_t (*ToBits)(float) noexcept, float (*ToValue)(std::uint16_t) noexcept>
class narrow_float {
 public:
  narrow_float() = default;
  template <class T>
  requires std::is_arithmetic_v<T>
  explicit constexpr narrow_float(T x) noexcept : bits_(ToBits(narrowed(x))) {}
  /// Exact.
  constexpr operator float() const noexcept { return ToValue(bits_); }  // NOLINT: used as a float is

  [[nodiscard]] static constexpr Number from_bits(std::uint16_t bits) noexcept {
    Number x;
    x.bits_ = bits;
    return x;
  }
  [[nodiscard]] constexpr std::uint16_t bits() const noexcept { return bits_; }

 private:
  std::uint16_t bits_;
};

}  // namespace detail

class float16 : public detail::narrow_float<float16, detail::float16_bits, detail::float16_value> {
 public:
  using narrow_float::narrow_float;
};

class bfloat16 : public detail::narrow_float<bfloat16, detail::bfloat16_bits, detail::bfloat16_value> {
 public:
  using narrow_float::narrow_float;
};

/// True for what has a sign, an exponent and a mantissa: the built-in types and those above.
template <class T>
inline constexpr bool is_float =
    std::is_floating_point_v<T> || std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

}  // namespace tessera

namespace tessera::detail {

/// What `numeric_limits` of both types have in common.
template <class T, int Digits, int MaxExponent>
struct limits_of_16_bits {
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;
  static constexpr bool is_iec559 = true, is_bounded = true, is_modulo = false, traps = false, tinyness_before = false;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr int radix = 2, digits = Digits, max_exponent = MaxExponent, min_exponent = 3 - MaxExponent;
  static constexpr int fraction = Digits - 1;  ///< Bits of the mantissa that are stored.

  static constexpr T infinity() noexcept { return of(0x7fffU >> fraction << fraction); }
  static constexpr T quiet_NaN() noexcept { return of(infinity().bits() | 1U << (fraction - 1)); }
  static constexpr T signaling_NaN() noexcept { return of(infinity().bits() | 1U); }
  static constexpr T max() noexcept { return of(infinity().bits() - 1U); }
  static constexpr T lowest() noexcept { return of(max().bits() | 0x8000U); }
  static constexpr T min() noexcept { return of(1U << fraction); }
  static constexpr T denorm_min() noexcept { return of(1U); }
  static constexpr T epsilon() noexcept { return T(1.0F / static_cast<float>(1U << fraction)); }

 private:
  static constexpr T of(unsigned bits) noexcept { return T::from_bits(static_cast<std::uint16_t>(bits)); }
};

}  // namespace tessera::detail

template <>
struct std::numeric_limits<tessera::float16> : tessera::detail::limits_of_16_bits<tessera::float16, 11, 16> {};
template <>
struct std::numeric_limits<tessera::bfloat16> : tessera::detail::limits_of_16_bits<tessera::bfloat16, 8, 128> {};
