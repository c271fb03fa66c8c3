#pragma once

#include <optional>

#include "tessera/nd/array.h"
#include "tessera/nd/ops/apply.h"

/// Functions of arrays, element by element, with the names of the Array API standard. Operands are arrays and plain
/// numbers, of which one is an array; shapes that differ are repeated as in NumPy, types meet as in NumPy. Throw
/// `argument_error` for shapes that do not fit and types that a function does not have.
namespace tessera::nd {

#define TESSERA_ND_UNARY(name, rule, opcode) \
  [[nodiscard]] array name(const operand& a, call_site here = call_site::current());
#define TESSERA_ND_BINARY(name, rule, opcode) \
  [[nodiscard]] array name(const operand& a, const operand& b, call_site here = call_site::current());
#include "tessera/nd/ops.def"

/// Comparisons; an integer that is none of an array's type is less or greater than all of its elements.
[[nodiscard]] array equal(const operand& a, const operand& b, call_site here = call_site::current());
[[nodiscard]] array not_equal(const operand& a, const operand& b, call_site here = call_site::current());
[[nodiscard]] array less(const operand& a, const operand& b, call_site here = call_site::current());
[[nodiscard]] array less_equal(const operand& a, const operand& b, call_site here = call_site::current());
[[nodiscard]] array greater(const operand& a, const operand& b, call_site here = call_site::current());
[[nodiscard]] array greater_equal(const operand& a, const operand& b, call_site here = call_site::current());
/// Distances from zero; real numbers for complex ones.
[[nodiscard]] array abs(const operand& a, call_site here = call_site::current());
[[nodiscard]] array positive(const operand& a, call_site here = call_site::current());
[[nodiscard]] array square(const operand& a, call_site here = call_site::current());
/// Of integers: what remains of the quotient, 0 for zeros.
[[nodiscard]] array reciprocal(const operand& a, call_site here = call_site::current());
/// Powers; plain exponents 2, 1, 0.5 and -1 are products and the like. Integers to negative powers are what remains of
/// the quotient.
[[nodiscard]] array pow(const operand& a, const operand& b, call_site here = call_site::current());
/// The remainder with the sign of `a`; of integers divided by zero, 0.
[[nodiscard]] array fmod(const operand& a, const operand& b, call_site here = call_site::current());
/// The ones among the bits of |a|, as uint8.
[[nodiscard]] array bitwise_count(const operand& a, call_site here = call_site::current());
/// Integers stay as they are.
[[nodiscard]] array floor(const operand& a, call_site here = call_site::current());
[[nodiscard]] array ceil(const operand& a, call_site here = call_site::current());
[[nodiscard]] array trunc(const operand& a, call_site here = call_site::current());
/// To the nearest integer, halves to the even one.
[[nodiscard]] array round(const operand& a, call_site here = call_site::current());
[[nodiscard]] array isnan(const operand& a, call_site here = call_site::current());
[[nodiscard]] array isinf(const operand& a, call_site here = call_site::current());
[[nodiscard]] array isfinite(const operand& a, call_site here = call_site::current());
[[nodiscard]] array signbit(const operand& a, call_site here = call_site::current());
/// Parts of complex numbers; of real ones the numbers themselves, and zeros.
[[nodiscard]] array real(const operand& a, call_site here = call_site::current());
[[nodiscard]] array imag(const operand& a, call_site here = call_site::current());
[[nodiscard]] array conj(const operand& a, call_site here = call_site::current());
[[nodiscard]] array make_complex(const operand& real, const operand& imaginary, call_site here = call_site::current());
/// `a` where `condition` is true, else `b`.
[[nodiscard]] array where(const operand& condition, const operand& a, const operand& b,
                          call_site here = call_site::current());
/// Not less than `least` and not more than `most`.
[[nodiscard]] array clip(const operand& a, const operand& least, const operand& most,
                         call_site here = call_site::current());
/// With one of both bounds.
[[nodiscard]] array clip(const operand& a, std::nullopt_t, const operand& most, call_site here = call_site::current());
[[nodiscard]] array clip(const operand& a, const operand& least, std::nullopt_t, call_site here = call_site::current());
/// The distribution function of the standard normal distribution.
[[nodiscard]] array normal_cdf(const operand& a, call_site here = call_site::current());

[[nodiscard]] array operator-(const array_here& a);
[[nodiscard]] array operator!(const array_here& a);
[[nodiscard]] array operator~(const array_here& a);

}  // namespace tessera::nd

#include "tessera/nd/ops/operators.h"
