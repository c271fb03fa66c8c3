#include "tests/nd/fuzz/reference/types.h"

#include <algorithm>

namespace tessera::fuzz {
namespace {

using enum scalar_kind;

std::uint32_t bytes_of(scalar_kind type) { return dtype::make(type).size; }

scalar_kind integer_of(bool with_sign, std::uint32_t bytes) {
  constexpr scalar_kind with[] = {int8, int16, int32, int64}, without[] = {uint8, uint16, uint32, uint64};
  const int k = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
  return with_sign ? with[k] : without[k];
}
/// The float that holds an integer type and a float.
scalar_kind real_for(scalar_kind integer, scalar_kind real) {
  const bool is_wide = !is_boolean(integer) && bytes_of(integer) >= 4;
  return is_wide || real == float64 ? float64 : float32;
}
int sort_of(scalar_kind type) {
  if (is_boolean(type)) return 0;
  if (is_integer(type)) return is_signed(type) ? 2 : 1;
  return is_real(type) ? 3 : 4;
}

}  // namespace

bool is_boolean(scalar_kind type) { return type == boolean; }
bool is_signed(scalar_kind type) { return type == int8 || type == int16 || type == int32 || type == int64; }
bool is_integer(scalar_kind type) {
  return is_signed(type) || type == uint8 || type == uint16 || type == uint32 || type == uint64;
}
bool is_real(scalar_kind type) { return type == float32 || type == float64; }
bool is_complex(scalar_kind type) { return type == complex64 || type == complex128; }
scalar_kind part_type(scalar_kind complex) { return complex == complex64 ? float32 : float64; }

scalar_kind met_type(scalar_kind a, scalar_kind b) {
  if (a == b || is_boolean(b)) return a;
  if (is_boolean(a)) return b;
  if (is_complex(a) || is_complex(b)) {
    const auto part = [](scalar_kind t) { return is_complex(t) ? part_type(t) : t; };
    const scalar_kind x = part(a), y = part(b), real = is_real(x) || is_real(y) ? met_type(x, y) : float64;
    return real == float32 ? complex64 : complex128;
  }
  if (is_real(a) && is_real(b)) return float64;
  if (is_real(a)) return real_for(b, a);
  if (is_real(b)) return real_for(a, b);
  if (is_signed(a) == is_signed(b)) return integer_of(is_signed(a), std::max(bytes_of(a), bytes_of(b)));
  const scalar_kind whole = is_signed(a) ? a : b, natural = is_signed(a) ? b : a;
  const std::uint32_t bytes = std::max(bytes_of(whole), 2 * bytes_of(natural));
  return bytes > 8 ? float64 : integer_of(true, bytes);
}

scalar_kind met_type(std::span<const argument_value> arguments) {
  std::optional<scalar_kind> met;
  for (const argument_value& each : arguments)
    if (!each.is_number) met = met ? met_type(*met, each.array.type) : each.array.type;
  auto highest = plain_number::sort::boolean;
  for (const argument_value& each : arguments)
    if (each.is_number) highest = std::max(highest, each.number.kind);
  using sort = plain_number::sort;
  if (!met) {
    constexpr scalar_kind own[] = {boolean, int64, float64, complex128};
    return own[static_cast<int>(highest)];
  }
  if (highest == sort::integer && is_boolean(*met)) return int64;
  if (highest == sort::real && sort_of(*met) < 3) return float64;
  if (highest == sort::complex && sort_of(*met) < 4) return *met == float32 ? complex64 : complex128;
  return *met;
}

bool can_write(scalar_kind to, scalar_kind from) { return sort_of(from) <= sort_of(to); }

bool can_write(scalar_kind to, const plain_number& n) {
  switch (n.kind) {
    case plain_number::sort::boolean:
      return true;
    case plain_number::sort::integer:
      if (!is_integer(to) || (is_signed(to) && bytes_of(to) == 8)) return true;
      if (to == uint64) return n.whole >= 0;
      break;
    case plain_number::sort::real:
      return sort_of(to) >= 3;
    case plain_number::sort::complex:
      return sort_of(to) == 4;
  }
  const std::int64_t span = std::int64_t{1} << (8 * bytes_of(to) - (is_signed(to) ? 1 : 0));
  return n.whole < span && n.whole >= (is_signed(to) ? -span : 0);
}

std::optional<function_types> types_of(function f, scalar_kind met) {
  const bool truth = is_boolean(met), whole = is_integer(met), real = is_real(met), complex = is_complex(met);
  const auto when = [](bool exists, scalar_kind computed, scalar_kind result) {
    return exists ? std::optional(function_types{computed, result}) : std::nullopt;
  };
  switch (f) {
    case function::negative:
    case function::subtract:
      return when(!truth, met, met);
    case function::sign:
      return when(whole || real, met, met);
    case function::sqrt:
      if (whole && bytes_of(met) > 1)
        return when(true, bytes_of(met) == 2 ? float32 : float64, bytes_of(met) == 2 ? float32 : float64);
      return when(real, met, met);
    case function::bitwise_invert:
    case function::bitwise_and:
    case function::bitwise_or:
    case function::bitwise_xor:
      return when(truth || whole, met, met);
    case function::bitwise_left_shift:
    case function::bitwise_right_shift:
      return when(whole, met, met);
    case function::abs:
    case function::floor:
    case function::ceil:
    case function::trunc:
    case function::minimum:
    case function::maximum:
    case function::clip:
      return when(!complex, met, met);
    case function::floor_divide:
    case function::remainder:
      return when(!complex, truth ? int8 : met, truth ? int8 : met);
    case function::divide:
      return when(!complex, real ? met : float64, real ? met : float64);
    case function::real:
    case function::imag:
      return when(true, met, complex ? part_type(met) : met);
    case function::square:
    case function::conj:
      return when(true, truth ? int8 : met, truth ? int8 : met);
    case function::positive:
      return when(!truth, met, met);
    case function::round:
      return when(!truth, met, met);  // of booleans: a float of 16 bits, which programs do not have
    case function::add:
    case function::multiply:
    case function::where:
      return when(true, met, met);
    case function::isnan:
    case function::isinf:
    case function::isfinite:
    case function::logical_not:
    case function::logical_and:
    case function::logical_or:
    case function::logical_xor:
    case function::equal:
    case function::not_equal:
      return when(true, met, boolean);
    case function::less:
    case function::less_equal:
    case function::greater:
    case function::greater_equal:
      return when(!complex, met, boolean);
    case function::make_complex:
      return when(!complex, met == float32 ? float32 : float64, met == float32 ? complex64 : complex128);
  }
  return std::nullopt;
}

}  // namespace tessera::fuzz
