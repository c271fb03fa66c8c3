#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

/// The arithmetic of random programs. Every value written depends on every value read, and every result is exact in
/// any order of combination, so that results can be compared bit by bit. Stands alone: printed programs contain it.
namespace values {

struct triple {
  std::int32_t a, b, c;
};
struct rgb {
  std::uint8_t r, g, b;
};

inline std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  h = (h ^ v) * 0x9E3779B97F4A7C15u;
  return h ^ (h >> 29);
}

/// All bits of an element as a number.
template <class T>
std::uint64_t load(const T& from) {
  std::uint64_t result = 0;
  for (std::size_t at = 0; at < sizeof(T); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, reinterpret_cast<const unsigned char*>(&from) + at, std::min<std::size_t>(8, sizeof(T) - at));
    result = at == 0 ? word : mix(result, word);
  }
  return result;
}

/// An element that depends on `h`. Floating-point elements are small integers.
template <class T>
T make(std::uint64_t h) {
  if constexpr (std::is_same_v<T, bool>) return (h & 1) != 0;
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(h & 4095);
  if constexpr (std::is_integral_v<T>) return static_cast<T>(h);
  T value{};
  for (std::size_t at = 0; at < sizeof(T); at += 8) {
    const std::uint64_t word = mix(h, at);
    std::memcpy(reinterpret_cast<unsigned char*>(&value) + at, &word, std::min<std::size_t>(8, sizeof(T) - at));
  }
  return value;
}

/// What a thread contributes to a result combined with `op` ('+', '*', '<' for min, '>' for max, '&', '|', '^').
template <class T>
T contribution(char op, std::uint64_t h) {
  if constexpr (std::is_floating_point_v<T>) {
    if (op == '*') return static_cast<T>((h & 1) != 0 ? -1 : 1);
    return static_cast<T>(op == '+' ? h & 15 : h & 4095);
  } else {
    if (op == '*') h |= 1;
    if (op == '|') h &= mix(h, 1) & mix(h, 2) & mix(h, 3);
    if (op == '&') h |= mix(h, 1) | mix(h, 2) | mix(h, 3);
    return make<T>(h);
  }
}

template <class T>
T combined(char op, T a, T b) {
  if (op == '<') return std::min(a, b);
  if (op == '>') return std::max(a, b);
  if constexpr (std::is_floating_point_v<T>) {
    return op == '+' ? a + b : a * b;
  } else {
    const auto x = static_cast<std::uint64_t>(+a), y = static_cast<std::uint64_t>(+b);
    switch (op) {
      case '+':
        return static_cast<T>(x + y);
      case '*':
        return static_cast<T>(x * y);
      case '&':
        return static_cast<T>(x & y);
      case '|':
        return static_cast<T>(x | y);
      default:
        return static_cast<T>(x ^ y);
    }
  }
}

template <class T>
T identity(char op) {
  using limits = std::numeric_limits<T>;
  switch (op) {
    case '*':
      return T(1);
    case '<':
      return limits::has_infinity ? limits::infinity() : limits::max();
    case '>':
      return limits::has_infinity ? static_cast<T>(-limits::infinity()) : limits::lowest();
    case '&':
      return std::is_same_v<T, bool> ? T(1) : static_cast<T>(-1);
    default:
      return T(0);
  }
}

/// Of the operations on structures: 'm', the least `a` with the least `b`; 's', the sum of `a`, the least `b` and the
/// greatest `c`.
template <>
inline triple identity<triple>(char op) {
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  return op == 'm' ? triple{most, -1, 0} : triple{0, most, -most - 1};
}

inline std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
inline std::int64_t floor_mod(std::int64_t a, std::int64_t b) { return a - b * floor_div(a, b); }

/// first, first + step, ... up to and including last, as far as they lie in [0, extent).
inline std::vector<std::int64_t> range(std::int64_t first, std::int64_t last, std::int64_t step, std::int64_t extent) {
  std::vector<std::int64_t> result;
  if (first < 0) first += (-first + step - 1) / step * step;
  for (std::int64_t x = first; x <= last && x < extent; x += step) result.push_back(x);
  return result;
}

}  // namespace values
