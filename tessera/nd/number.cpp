#include "tessera/nd/number.h"

#include <cstring>

#include "tessera/base/float16.h"
#include "tessera/kernel/scalar/loops/loops.h"
#include "tessera/nd/refuse.h"

namespace tessera::nd {
namespace {

using bytes = std::array<std::byte, 16>;

bool is_integer(scalar_kind type) { return type >= scalar_kind::int8 && type <= scalar_kind::uint64; }
bool is_small_float(scalar_kind type) { return type == scalar_kind::float16 || type == scalar_kind::bfloat16; }

/// As the evaluator converts, so that numbers have the bits that converted arrays have.
void convert(void* to, scalar_kind to_type, const void* from, scalar_kind from_type) {
  if (to_type == from_type) {
    std::memcpy(to, from, size_of(to_type));
    return;
  }
  const auto number_of = [](scalar_kind k) { return static_cast<std::size_t>(k); };
  const kernels::loop_table& loops = kernels::scalar_loops();
  if (is_small_float(to_type)) {
    float middle = 0;
    if (from_type == scalar_kind::float64)
      loops.round_to_odd(&middle, from, nullptr, nullptr, 1);
    else
      convert(&middle, scalar_kind::float32, from, from_type);
    loops.conversions[number_of(scalar_kind::float32)][number_of(to_type)](to, &middle, nullptr, nullptr, 1);
    return;
  }
  loops.conversions[number_of(from_type)][number_of(to_type)](to, from, nullptr, nullptr, 1);
}

/// True if `value` is one of the numbers of an integer type.
bool is_one_of(scalar_kind type, std::int64_t value, bool large) {
  if (type == scalar_kind::uint64) return large || value >= 0;
  if (large) return false;
  const int bits = 8 * static_cast<int>(size_of(type));
  if (type >= scalar_kind::uint8) return value >= 0 && value < (std::int64_t{1} << bits);
  if (bits == 64) return true;
  return value >= -(std::int64_t{1} << (bits - 1)) && value < (std::int64_t{1} << (bits - 1));
}

}  // namespace

scalar_kind number::own_type() const {
  switch (kind_) {
    case weak_kind::boolean:
      return scalar_kind::boolean;
    case weak_kind::integer:
      return large_ ? scalar_kind::uint64 : scalar_kind::int64;
    case weak_kind::real:
      return scalar_kind::float64;
    case weak_kind::complex:
      break;
  }
  return scalar_kind::complex128;
}

bool number::fits(scalar_kind type) const {
  return kind_ != weak_kind::integer || !is_integer(type) || is_one_of(type, whole_, large_);
}

std::array<std::byte, 16> number::converted(scalar_kind type) const {
  bytes made{};
  if (kind_ == weak_kind::real) {
    convert(made.data(), type, &real_, scalar_kind::float64);
  } else if (kind_ == weak_kind::complex) {
    const std::complex<double> both(real_, imaginary_);
    convert(made.data(), type, &both, scalar_kind::complex128);
  } else {
    convert(made.data(), type, &whole_, large_ ? scalar_kind::uint64 : scalar_kind::int64);
  }
  return made;
}

std::array<std::byte, 16> number::element(scalar_kind type, call_site here) const {
  const bool is_allowed = kind_ == weak_kind::integer || can_store(type, own_type());
  if (!is_allowed)
    refuse<type_error>(here, "a ", to_string(dtype::make(own_type())), " number for an array of ",
                       to_string(dtype::make(type)));
  if (!fits(type))
    refuse<range_error>(here, "the number ", large_ ? cat(static_cast<std::uint64_t>(whole_)) : cat(whole_),
                        " is none of ", to_string(dtype::make(type)));
  return converted(type);
}

}  // namespace tessera::nd
