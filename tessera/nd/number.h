#pragma once

#include <array>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "tessera/base/call_site.h"
#include "tessera/base/dtype.h"
#include "tessera/nd/promote.h"

namespace tessera::nd {

/// A number that a program wrote, without a type of its own: what it becomes depends on the array beside it.
class number {
 public:
  number(bool value) : kind_(weak_kind::boolean), whole_(value ? 1 : 0) {}  // NOLINT: numbers are operands
  template <std::signed_integral T>
  number(T value) : kind_(weak_kind::integer), whole_(value) {}  // NOLINT
  template <std::unsigned_integral T>
  requires(!std::is_same_v<T, bool>) number(T value)  // NOLINT
      : kind_(weak_kind::integer),
        large_(value > static_cast<std::uint64_t>(INT64_MAX)),
        whole_(static_cast<std::int64_t>(value)) {}
  template <std::floating_point T>
  number(T value) : kind_(weak_kind::real), real_(static_cast<double>(value)) {}  // NOLINT
  template <std::floating_point T>
  number(std::complex<T> value) : kind_(weak_kind::complex), real_(value.real()), imaginary_(value.imag()) {}  // NOLINT

  [[nodiscard]] weak_kind kind() const { return kind_; }
  /// The real part, as near as a double is.
  [[nodiscard]] double real() const {
    if (kind_ >= weak_kind::real) return real_;
    return large_ ? static_cast<double>(static_cast<std::uint64_t>(whole_)) : static_cast<double>(whole_);
  }
  /// False for an integer that is none of an integer type's.
  [[nodiscard]] bool fits(scalar_kind type) const;
  /// The type of an array of this number alone: bool, int64, float64 or complex128.
  [[nodiscard]] scalar_kind own_type() const;
  /// The element of type `type`, in the first bytes; as a boolean, whether an integer is not 0. Throws `argument_error`
  /// for an integer that the type does not have, and for a number of a higher sort than the type's.
  [[nodiscard]] std::array<std::byte, 16> element(scalar_kind type, call_site here = {}) const;
  /// As `element`, for a type that was found by `promoted` and so has room; integers wrap around.
  [[nodiscard]] std::array<std::byte, 16> converted(scalar_kind type) const;

 private:
  weak_kind kind_;
  bool large_ = false;  // an unsigned number of more than 63 bits
  std::int64_t whole_ = 0;
  double real_ = 0, imaginary_ = 0;
};

/// Bytes of an element.
[[nodiscard]] constexpr std::uint32_t size_of(scalar_kind type) {
  constexpr std::array<std::uint8_t, 15> sizes{1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16};
  return sizes[static_cast<std::size_t>(type)];
}

}  // namespace tessera::nd
