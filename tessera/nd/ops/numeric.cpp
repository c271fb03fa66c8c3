#include "tessera/nd/ops/numeric.h"

#include <cmath>
#include <limits>

#include "tessera/nd/graph/graph.h"
#include "tessera/nd/ops/arrange/assemble.h"
#include "tessera/nd/ops/creation.h"
#include "tessera/nd/refuse.h"

namespace tessera::nd {
namespace {

using kernels::contains;
namespace sets = kernels::type_sets;

array part_along(const array& a, int axis, std::int64_t first, std::int64_t last) {
  return a.seen_through(slice_map(a.shape(), axis, {first, last, 1}));
}

double largest(scalar_kind type) {
  switch (type) {
    case scalar_kind::float16:
      return 65504;
    case scalar_kind::bfloat16:
      return 0x1.fep127;
    case scalar_kind::float32:
      return std::numeric_limits<float>::max();
    default:
      return std::numeric_limits<double>::max();
  }
}

/// The operand as an array that is repeated: numbers as elements of type `type`.
array as_array(const operand& a, scalar_kind type, const array& beside, call_site here) {
  if (!a.is_number()) return as_type(a.elements(), type, here);
  return full({}, a.value(), type, {layout(), beside.owner()->ctx()}, here);
}

/// Numbers of 16 bits are multiplied as float, by a factor that has the bits of the type it is multiplied in.
array scaled(const char* name, const array& a, double factor, float single, call_site here) {
  const scalar_kind type = float_for(a.type(here));
  if (!contains(sets::floats, type))
    refuse<type_error>(here, name, " does not exist for ", to_string(dtype::make(type)));
  const scalar_kind computed = type == scalar_kind::float64 ? type : scalar_kind::float32;
  const array x = as_type(a, computed, here);
  return as_type(multiply(x, computed == scalar_kind::float64 ? factor : static_cast<double>(single), here), type,
                 here);
}

array chosen(const char* name, const operand& a, const operand& b, bool larger, call_site here) {
  const auto is_nan = [](const operand& x) { return x.is_number() && std::isnan(x.value().real()); };
  if (a.is_number() && b.is_number()) refuse<type_error>(here, name, " of two numbers: give it an array");
  const std::array<operand, 2> both{a, b};
  if (contains(sets::bits, common_type(both))) return larger ? maximum(a, b, here) : minimum(a, b, here);
  if (is_nan(b)) return copy(as_type(a.elements(), common_type(both), here), here);
  const array first = larger ? greater(a, b, here) : less(a, b, here);
  if (b.is_number()) return where(first, a, b, here);
  return where(logical_or(first, isnan(b, here), here), a, b, here);
}

}  // namespace

array diff(const array& a, int times, int axis, call_site here) {
  if (times < 0) refuse(here, "diff ", times, " times");
  const int along = resolve_axis(axis, a.rank(here), here);
  array made = a;
  for (int k = 0; k < times && made.shape()[along] > 0; ++k) {
    const array next = part_along(made, along, 1, slice::open), before = part_along(made, along, 0, -1);
    made = a.type() == scalar_kind::boolean ? not_equal(next, before, here) : subtract(next, before, here);
  }
  return made;
}

array gradient(const array& a, double spacing, int axis, call_site here) {
  const int along = resolve_axis(axis, a.rank(here), here);
  const std::int64_t n = a.shape()[along];
  if (n < 2) refuse(here, "gradient along axis ", axis, " of ", n, " elements: two are needed");
  const array x = contains(sets::bits, a.type()) ? as_type(a, scalar_kind::float64, here) : a;
  const auto quotient = [&](std::int64_t first, std::int64_t count, std::int64_t distance) {
    return divide(subtract(part_along(x, along, first + distance, first + distance + count),
                           part_along(x, along, first, first + count), here),
                  spacing * static_cast<double>(distance), here);
  };
  const array made = new_array_of_parts(a.shape(), x.type(), {&a, 1}, here);
  part_along(made, along, 0, 1).assign(quotient(0, 1, 1), here);
  if (n > 2) part_along(made, along, 1, -1).assign(quotient(0, n - 2, 2), here);
  part_along(made, along, n - 1, n).assign(quotient(n - 2, 1, 1), here);
  return made;
}

array isclose(const array& a, const operand& b, const tolerance& within, call_site here) {
  const std::array<operand, 2> both{operand(a, here), b};
  const scalar_kind met = b.is_number() ? common_type(both) : b.type();
  const array y = as_array(b, promoted(met, weak_kind::real), a, here);
  const array bound = add(multiply(abs(y, here), within.relative, here), within.absolute, here);
  const array near = logical_and(less_equal(abs(subtract(a, y, here), here), bound, here), isfinite(y, here), here);
  const array made = logical_or(near, equal(a, y, here), here);
  return within.equal_nan ? logical_or(made, logical_and(isnan(a, here), isnan(y, here), here), here) : made;
}

array nan_to_num(const array& a, const finite_values& instead, call_site here) {
  if (contains(sets::bits, a.type(here))) return copy(a, here);
  if (contains(sets::complexes, a.type()))
    return make_complex(nan_to_num(real(a, here), instead, here), nan_to_num(imag(a, here), instead, here), here);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double most = instead.positive.value_or(largest(a.type())),
               least = instead.negative.value_or(-largest(a.type()));
  const array above = where(equal(a, infinity, here), most, a, here);
  const array bounded = where(equal(a, -infinity, here), least, above, here);
  return where(isnan(a, here), instead.nan, bounded, here);
}

array isposinf(const array& a, call_site here) {
  a.require_assigned(here);
  return logical_and(isinf(a, here), logical_not(signbit(a, here), here), here);
}
array isneginf(const array& a, call_site here) {
  a.require_assigned(here);
  return logical_and(isinf(a, here), signbit(a, here), here);
}

array fmax(const operand& a, const operand& b, call_site here) { return chosen("fmax", a, b, true, here); }
array fmin(const operand& a, const operand& b, call_site here) { return chosen("fmin", a, b, false, here); }

array deg2rad(const array& a, call_site here) {
  return scaled("deg2rad", a, M_PI / 180, static_cast<float>(M_PI) / 180.0f, here);
}
array rad2deg(const array& a, call_site here) {
  return scaled("rad2deg", a, 180 / M_PI, 180.0f / static_cast<float>(M_PI), here);
}

array heaviside(const array& a, const operand& at_zero, call_site here) {
  const std::array<operand, 2> both{operand(a, here), at_zero};
  const scalar_kind met =
      at_zero.is_number() ? common_type(both) : promoted(float_for(a.type()), float_for(at_zero.type()));
  const array x = as_type(a, float_for(met), here);
  const array step = as_type(greater(x, 0, here), x.type(), here);
  return where(isnan(x, here), x, where(equal(x, 0, here), at_zero, step, here), here);
}

array float_power(const operand& a, const operand& b, call_site here) {
  if (a.is_number() && b.is_number()) refuse<type_error>(here, "float_power of two numbers: give it an array");
  const std::array<operand, 2> both{a, b};
  const scalar_kind type = promoted(common_type(both), scalar_kind::float64);
  array base, exponent;
  const auto wide = [&](const operand& x, array& kept) -> operand {
    if (x.is_number()) return x;
    kept = as_type(x.elements(), type, here);
    return kept;
  };
  return pow(wide(a, base), wide(b, exponent), here);
}

}  // namespace tessera::nd
