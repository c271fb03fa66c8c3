#pragma once

#include <cstdint>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera {

/// 64-bit arithmetic that throws `argument_error` naming `quantity` instead of overflowing.
[[nodiscard]] inline std::int64_t checked_multiply(std::int64_t a, std::int64_t b, const char* quantity) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) throw argument_error(cat(quantity, " overflows 64 bits: ", a, " * ", b));
  return result;
}

[[nodiscard]] inline std::int64_t checked_add(std::int64_t a, std::int64_t b, const char* quantity) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) throw argument_error(cat(quantity, " overflows 64 bits: ", a, " + ", b));
  return result;
}

/// Quotient rounded towards minus infinity; `b` > 0.
[[nodiscard]] constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

/// Quotient rounded up; `a` >= 0, `b` > 0.
[[nodiscard]] constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace tessera
