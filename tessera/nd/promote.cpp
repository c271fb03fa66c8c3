#include "tessera/nd/promote.h"

#include <algorithm>

namespace tessera::nd {
namespace {

using enum scalar_kind;

/// Sorts of numbers, each of which the next one contains.
enum class sort { boolean, unsigned_integer, signed_integer, real, complex_number };

sort sort_of(scalar_kind kind) {
  if (kind == boolean) return sort::boolean;
  if (kind <= int64) return sort::signed_integer;
  if (kind <= uint64) return sort::unsigned_integer;
  return kind <= float64 ? sort::real : sort::complex_number;
}

int bytes_of(scalar_kind kind) { return static_cast<int>(dtype::make(kind).size); }

scalar_kind signed_of(int bytes) { return bytes == 1 ? int8 : bytes == 2 ? int16 : bytes == 4 ? int32 : int64; }

scalar_kind promoted_integers(scalar_kind a, scalar_kind b) {
  if (sort_of(a) == sort_of(b)) return bytes_of(a) < bytes_of(b) ? b : a;
  const scalar_kind whole = sort_of(a) == sort::signed_integer ? a : b, natural = whole == a ? b : a;
  if (bytes_of(whole) > bytes_of(natural)) return whole;
  return natural == uint64 ? float64 : signed_of(2 * bytes_of(natural));
}

/// The narrowest float that an integer may meet `real` in.
scalar_kind promoted_reals(scalar_kind a, scalar_kind b) {
  if (a == b) return a;
  const bool small_a = bytes_of(a) == 2, small_b = bytes_of(b) == 2;
  if (small_a && small_b) return float32;  // float16 and bfloat16
  return bytes_of(a) < bytes_of(b) ? b : a;
}

scalar_kind real_beside(scalar_kind integer, scalar_kind real) {
  if (bytes_of(integer) == 1) return real;
  return promoted_reals(real, bytes_of(integer) == 2 ? float32 : float64);
}

scalar_kind complex_of(scalar_kind real) { return real == float64 ? complex128 : complex64; }
scalar_kind part_of(scalar_kind complex) { return complex == complex128 ? float64 : float32; }

}  // namespace

scalar_kind promoted(scalar_kind a, scalar_kind b) {
  if (a == b) return a;
  const scalar_kind low = sort_of(a) <= sort_of(b) ? a : b, high = low == a ? b : a;
  switch (sort_of(high)) {
    case sort::boolean:
    case sort::unsigned_integer:
    case sort::signed_integer:
      return low == boolean ? high : promoted_integers(a, b);
    case sort::real:
      if (low == boolean) return high;
      return sort_of(low) == sort::real ? promoted_reals(a, b) : real_beside(low, high);
    case sort::complex_number:
      break;
  }
  if (low == boolean) return high;
  const scalar_kind part = part_of(high);
  if (sort_of(low) == sort::complex_number) return complex_of(promoted_reals(part_of(low), part));
  return complex_of(sort_of(low) == sort::real ? promoted_reals(low, part) : real_beside(low, part));
}

scalar_kind float_for(scalar_kind type) {
  if (sort_of(type) >= sort::real) return type;
  return bytes_of(type) == 1 ? float16 : bytes_of(type) == 2 ? float32 : float64;
}

scalar_kind promoted(scalar_kind array, weak_kind number, scalar_kind default_float) {
  const sort own = sort_of(array);
  switch (number) {
    case weak_kind::boolean:
      return array;
    case weak_kind::integer:
      return own == sort::boolean ? int64 : array;
    case weak_kind::real:
      return own < sort::real ? default_float : array;
    case weak_kind::complex:
      break;
  }
  if (own == sort::complex_number) return array;
  return complex_of(own == sort::real ? array : default_float);
}

bool can_store(scalar_kind to, scalar_kind from) { return sort_of(from) <= sort_of(to); }

}  // namespace tessera::nd
