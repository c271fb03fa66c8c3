#include "tessera/nd/ops/elementwise.h"

#include <algorithm>

#include "tessera/base/defects.h"
#include "tessera/nd/graph/graph.h"
#include "tessera/nd/ops/creation.h"
#include "tessera/nd/refuse.h"

namespace tessera::nd {
namespace {

using kernels::contains;
using kernels::opcode;
namespace sets = kernels::type_sets;

enum class rule : std::uint8_t { numeric, floating, real, quotient, ordered, bits, truth, any };

bool is_integer(scalar_kind type) { return contains(sets::bits, type); }

scalar_kind computed_type(rule r, scalar_kind met) {
  switch (r) {
    case rule::floating:
    case rule::real:
      return float_for(met);
    case rule::quotient:
      return is_integer(met) ? scalar_kind::float64 : met;
    case rule::truth:
      return scalar_kind::boolean;
    default:
      return met;
  }
}

/// Booleans are added and multiplied as truths, and count as int8 elsewhere.
opcode operation_for(opcode operation, scalar_kind& type) {
  if (planted("nan_lost") && operation == opcode::nan_minimum) return opcode::minimum;
  if (type != scalar_kind::boolean) return operation;
  if (operation == opcode::add) return opcode::logical_or;
  if (operation == opcode::multiply) return opcode::logical_and;
  if (operation == opcode::bit_not) return opcode::logical_not;
  constexpr opcode numeric[] = {opcode::floor_divide, opcode::floor_remainder, opcode::bounded_shift_left,
                                opcode::bounded_shift_right, opcode::integer_power};
  if (std::find(std::begin(numeric), std::end(numeric), operation) != std::end(numeric)) type = scalar_kind::int8;
  return operation;
}

array filled_like(const array& a, bool value, call_site here) {
  return full(a.shape(), number(value), scalar_kind::boolean, {a.split(), a.owner()->ctx()}, here);
}

/// Booleans as numbers, for functions that have none of them.
array as_number(const char* name, const operand& a, call_site here) {
  if (a.is_number()) refuse<type_error>(here, name, " of a number: give it an array");
  return a.type() == scalar_kind::boolean ? as_type(a.elements(), scalar_kind::int8, here) : a.elements();
}

array as_truth(const operand& a, call_site here) {
  if (a.is_number()) refuse<type_error>(here, "an operation without an array");
  if (a.type() == scalar_kind::boolean) return a.elements();
  return apply(opcode::not_equal, {a, 0}, a.type(), here);
}

void require_operation(const char* name, opcode operation, scalar_kind type, call_site here) {
  if (!contains(kernels::facts_of(operation).types, type))
    refuse<type_error>(here, name, " does not exist for ", to_string(dtype::make(type)));
}

array unary(const char* name, const operand& a, rule r, opcode operation, call_site here) {
  if (a.is_number()) refuse<type_error>(here, name, " of a number: give it an array");
  if (r == rule::truth) return apply(operation, {as_truth(a, here)}, scalar_kind::boolean, here);
  scalar_kind type = computed_type(r, a.type());
  const opcode found = operation_for(operation, type);
  require_operation(name, found, type, here);
  return apply(found, {a}, type, here);
}

operand truth_operand(const operand& a, array& kept, call_site here) {
  if (a.is_number()) return a;
  kept = as_truth(a, here);
  return kept;
}

array binary(const char* name, const operand& a, const operand& b, rule r, opcode operation, call_site here) {
  if (a.is_number() && b.is_number()) refuse<type_error>(here, name, " of two numbers: give it an array");
  if (r == rule::truth) {
    array left, right;
    return apply(operation, {truth_operand(a, left, here), truth_operand(b, right, here)}, scalar_kind::boolean, here);
  }
  const std::array<operand, 2> both{a, b};
  scalar_kind type = computed_type(r, common_type(both));
  // Integers of two types meet in the narrowest float that has both.
  if (r == rule::real && is_integer(a.type()) && is_integer(b.type()) && !a.is_number() && !b.is_number())
    type = promoted(float_for(a.type()), float_for(b.type()));
  const opcode found = operation_for(operation, type);
  require_operation(name, found, type, here);
  return apply(found, {a, b}, type, here);
}

/// A comparison. An integer that is none of an array's type is less or greater than all of it.
array compared(const char* name, const operand& a, const operand& b, opcode operation, call_site here) {
  if (a.is_number() == b.is_number()) return binary(name, a, b, rule::any, operation, here);
  const number& value = a.is_number() ? a.value() : b.value();
  const array& elements = a.is_number() ? b.elements() : a.elements();
  if (value.fits(elements.type())) return binary(name, a, b, rule::any, operation, here);
  const bool is_unequal = operation == opcode::not_equal, is_equal = operation == opcode::equal;
  return filled_like(elements, is_unequal || (!is_equal && (value.real() > 0) != a.is_number()), here);
}

/// For functions that leave integers as they are.
array rounded(const char* name, const operand& a, opcode operation, call_site here) {
  if (a.is_number()) refuse<type_error>(here, name, " of a number: give it an array");
  if (is_integer(a.type())) return copy(a.elements(), here);
  require_operation(name, operation, a.type(), here);
  return apply(operation, {a}, a.type(), here);
}

/// For questions that integers answer alike, and complex numbers by their parts.
array predicate(const char* name, const operand& a, opcode operation, opcode joins, bool of_integers, call_site here) {
  if (a.is_number()) refuse<type_error>(here, name, " of a number: give it an array");
  const array& x = a.elements();
  if (is_integer(x.type())) return filled_like(x, of_integers, here);
  if (!contains(sets::complexes, x.type())) return apply(operation, {a}, x.type(), here);
  const scalar_kind part = kernels::real_kind(x.type());
  return apply(joins, {apply(operation, {real(x, here)}, part, here), apply(operation, {imag(x, here)}, part, here)},
               scalar_kind::boolean, here);
}

}  // namespace

#define TESSERA_ND_UNARY(name, rule_of, opcode_of) \
  array name(const operand& a, call_site here) { return unary(#name, a, rule::rule_of, opcode::opcode_of, here); }
#define TESSERA_ND_BINARY(name, rule_of, opcode_of)                     \
  array name(const operand& a, const operand& b, call_site here) {      \
    return binary(#name, a, b, rule::rule_of, opcode::opcode_of, here); \
  }
#include "tessera/nd/ops.def"

array equal(const operand& a, const operand& b, call_site here) { return compared("equal", a, b, opcode::equal, here); }
array not_equal(const operand& a, const operand& b, call_site here) {
  return compared("not_equal", a, b, opcode::not_equal, here);
}
array less(const operand& a, const operand& b, call_site here) { return compared("less", a, b, opcode::less, here); }
array less_equal(const operand& a, const operand& b, call_site here) {
  return compared("less_equal", a, b, opcode::less_equal, here);
}
array greater(const operand& a, const operand& b, call_site here) { return less(b, a, here); }
array greater_equal(const operand& a, const operand& b, call_site here) { return less_equal(b, a, here); }

array abs(const operand& a, call_site here) {
  if (a.is_number()) refuse<type_error>(here, "abs of a number: give it an array");
  if (contains(sets::complexes, a.type())) return apply(opcode::magnitude, {a}, a.type(), here);
  if (!contains(sets::signed_reals, a.type())) return copy(a.elements(), here);
  return apply(opcode::absolute, {a}, a.type(), here);
}
array positive(const operand& a, call_site here) {
  if (a.is_number()) refuse<type_error>(here, "positive of a number: give it an array");
  if (a.type() == scalar_kind::boolean) refuse<type_error>(here, "positive does not exist for bool");
  return copy(a.elements(), here);
}
array square(const operand& a, call_site here) {
  const array x = as_number("square", a, here);
  return multiply(x, x, here);
}
array reciprocal(const operand& a, call_site here) {
  const array x = as_number("reciprocal", a, here);
  if (!is_integer(x.type())) return divide(1, x, here);
  if (!contains(sets::signed_reals, x.type())) return as_type(equal(x, 1, here), x.type(), here);
  return apply(opcode::integer_power, {x, -1}, x.type(), here);
}
array bitwise_count(const operand& a, call_site here) {
  const array x = as_number("bitwise_count", a, here);
  return as_type(unary("bitwise_count", x, rule::bits, opcode::count_ones, here), scalar_kind::uint8, here);
}
array fmod(const operand& a, const operand& b, call_site here) {
  const std::array<operand, 2> both{a, b};
  if (!is_integer(common_type(both))) return binary("fmod", a, b, rule::real, opcode::fmod, here);
  const array rest = remainder(a, b, here);
  if (!contains(sets::signed_reals, rest.type())) return rest;
  // The remainder of floor_divide has the sign of b.
  const array below = a.is_number() ? filled_like(rest, a.value().real() < 0, here) : less(a, 0, here);
  const array is_other = logical_and(not_equal(rest, 0, here), not_equal(less(rest, 0, here), below, here), here);
  return where(is_other, subtract(rest, b, here), rest, here);
}

array pow(const operand& a, const operand& b, call_site here) {
  const std::array<operand, 2> both{a, b};
  const scalar_kind type = common_type(both);
  if (b.is_number() && !a.is_number() && b.value().kind() != weak_kind::complex) {
    const auto is = [&](double wanted) { return b.value().real() == wanted; };
    if (is(2)) return multiply(as_type(a.elements(), type, here), as_type(a.elements(), type, here), here);
    if (is(1)) return copy(as_type(a.elements(), type, here), here);
    if (is(0.5) && !is_integer(a.type())) return sqrt(a, here);
    if (is(-1) && !is_integer(type)) return divide(1, a, here);
  }
  if (type == scalar_kind::boolean) return binary("pow", a, b, rule::any, opcode::integer_power, here);
  return binary("pow", a, b, rule::any, is_integer(type) ? opcode::integer_power : opcode::pow, here);
}

array floor(const operand& a, call_site here) { return rounded("floor", a, opcode::floor, here); }
array ceil(const operand& a, call_site here) { return rounded("ceil", a, opcode::ceil, here); }
array trunc(const operand& a, call_site here) { return rounded("trunc", a, opcode::trunc, here); }
array round(const operand& a, call_site here) {
  if (!a.is_number() && contains(sets::complexes, a.type())) {
    const scalar_kind part = kernels::real_kind(a.type());
    return make_complex(apply(opcode::rint, {real(a, here)}, part, here),
                        apply(opcode::rint, {imag(a, here)}, part, here), here);
  }
  if (!a.is_number() && a.type() == scalar_kind::boolean) return as_type(a.elements(), scalar_kind::float16, here);
  return rounded("round", a, opcode::rint, here);
}
array isnan(const operand& a, call_site here) {
  return predicate("isnan", a, opcode::is_nan, opcode::logical_or, false, here);
}
array isinf(const operand& a, call_site here) {
  return predicate("isinf", a, opcode::is_inf, opcode::logical_or, false, here);
}
array isfinite(const operand& a, call_site here) {
  return predicate("isfinite", a, opcode::is_finite, opcode::logical_and, true, here);
}
array signbit(const operand& a, call_site here) {
  if (!a.is_number() && is_integer(a.type())) return less(a, 0, here);
  return unary("signbit", a, rule::any, opcode::sign_bit, here);
}
array real(const operand& a, call_site here) {
  if (a.is_number()) refuse<type_error>(here, "real of a number: give it an array");
  if (!contains(sets::complexes, a.type())) return a.elements();
  return apply(opcode::real_part, {a}, a.type(), here);
}
array imag(const operand& a, call_site here) {
  if (a.is_number()) refuse<type_error>(here, "imag of a number: give it an array");
  if (!contains(sets::complexes, a.type())) return zeros_like(a.elements(), here);
  return apply(opcode::imaginary_part, {a}, a.type(), here);
}
array conj(const operand& a, call_site here) {
  if (a.is_number()) refuse<type_error>(here, "conj of a number: give it an array");
  if (!contains(sets::complexes, a.type())) return copy(as_number("conj", a, here), here);
  return apply(opcode::conjugate, {a}, a.type(), here);
}
array make_complex(const operand& real, const operand& imaginary, call_site here) {
  if (real.is_number() && imaginary.is_number())
    refuse<type_error>(here, "make_complex of two numbers: give it an array");
  const std::array<operand, 2> both{real, imaginary};
  const scalar_kind met = common_type(both);
  return apply(opcode::make_complex, {real, imaginary}, met == scalar_kind::float32 ? met : scalar_kind::float64, here);
}

array where(const operand& condition, const operand& a, const operand& b, call_site here) {
  if (condition.is_number() && a.is_number() && b.is_number())
    refuse<type_error>(here, "where of three numbers: give it an array");
  array kept;
  const operand truth = truth_operand(condition, kept, here);
  const std::array<operand, 2> both{a, b};
  const scalar_kind type = common_type(both);
  const std::array<operand, 3> operands{truth, a, b};
  const std::array<scalar_kind, 3> types{scalar_kind::boolean, type, type};
  return apply(opcode::select, operands, types, here);
}

namespace {

/// True for a bound that the type of the array does not have, and that so does not bind.
bool is_beyond(const operand& a, const operand& bound, bool above) {
  return !a.is_number() && bound.is_number() && !bound.value().fits(a.type()) && (bound.value().real() > 0) == above;
}

}  // namespace

array clip(const operand& a, const operand& least, const operand& most, call_site here) {
  const array raised = clip(a, least, std::nullopt, here);
  return is_beyond(a, most, true) ? raised : minimum(raised, most, here);
}
array clip(const operand& a, std::nullopt_t, const operand& most, call_site here) {
  return is_beyond(a, most, true) ? copy(a.elements(), here) : minimum(a, most, here);
}
array clip(const operand& a, const operand& least, std::nullopt_t, call_site here) {
  return is_beyond(a, least, false) ? copy(a.elements(), here) : maximum(a, least, here);
}

array normal_cdf(const operand& a, call_site here) {
  return multiply(0.5, erfc(multiply(a, -0.70710678118654752440, here), here), here);
}

array operator-(const array_here& a) { return negative(a, a.site); }
array operator!(const array_here& a) { return logical_not(a, a.site); }
array operator~(const array_here& a) { return bitwise_invert(a, a.site); }

}  // namespace tessera::nd
