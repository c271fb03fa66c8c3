#include "tessera/nd/random/generator.h"

#include <cmath>

#include "tessera/nd/ops/elementwise.h"
#include "tessera/nd/refuse.h"

namespace tessera::nd {
namespace {

using kernels::opcode;
constexpr scalar_kind word = scalar_kind::uint64;

/// The words of one stream, for an array.
class stream_words {
 public:
  stream_words(const extents& shape, std::uint64_t stream, std::uint64_t seed, const array_options& options,
               call_site here)
      : place_(as_type(flat_place(shape, options, here), word, here)), stream_(stream), seed_(seed), here_(here) {}

  [[nodiscard]] array low() const { return apply(opcode::philox_low, {place_, stream_, seed_}, word, here_); }
  [[nodiscard]] array high() const { return apply(opcode::philox_high, {place_, stream_, seed_}, word, here_); }

 private:
  /// The number of an element in the order of indices: the same for every layout.
  static array flat_place(const extents& shape, const array_options& options, call_site here) {
    if (shape.rank() == 0) return full<std::int64_t>(shape, 0, options, here);
    array made = indices(shape, -1, options, here);
    std::int64_t stride = 1;
    for (int axis = shape.rank() - 2; axis >= 0; --axis) {
      stride *= shape[axis + 1];
      if (shape[axis] > 1) made = add(made, multiply(indices(shape, axis, options, here), stride, here), here);
    }
    return made;
  }

  array place_;
  std::uint64_t stream_, seed_;
  call_site here_;
};

/// Digits of a float type, with the one that is not stored.
int digits_of(const char* name, scalar_kind type, call_site here) {
  switch (type) {
    case scalar_kind::float64:
      return 53;
    case scalar_kind::float32:
      return 24;
    case scalar_kind::float16:
      return 11;
    case scalar_kind::bfloat16:
      return 8;
    default:
      refuse<type_error>(here, name, " makes float16, bfloat16, float32 and float64, not ",
                         to_string(dtype::make(type)));
  }
}

array shifted(const array& words, int distance, call_site here) {
  return distance == 0 ? words : bitwise_right_shift(words, distance, here);
}

/// Multiples of 2^-digits in [0, 1), of the first bits of words.
array fraction(const array& words, int digits, scalar_kind type, call_site here) {
  return multiply(as_type(shifted(words, 64 - digits, here), type, here), std::ldexp(1.0, -digits), here);
}

/// The number of a float type that comes before `high`, which itself is not one of the results.
double before(double high, scalar_kind type, int digits) {
  if (high == 0) return type == scalar_kind::float64 ? -0x1p-1022 : type == scalar_kind::float16 ? -0x1p-14 : -0x1p-126;
  int exponent = 0;
  const double part = std::frexp(high, &exponent);
  const double scaled = std::ldexp(part, digits), whole = std::ceil(scaled);
  // Powers of two have finer numbers below them.
  const double step = whole == std::ldexp(1.0, digits - 1) ? 0.5 : 1;
  return std::ldexp(whole - step, exponent - digits);
}

void require_finite(const char* name, double a, double b, call_site here) {
  if (!std::isfinite(a) || !std::isfinite(b)) refuse(here, name, " with ", a, " and ", b, ": not finite");
}

}  // namespace

array generator::bits(const extents& shape, const array_options& options, call_site here) {
  return stream_words(shape, stream_++, seed_, options, here).low();
}

array generator::uniform(const extents& shape, double low, double high, scalar_kind type, const array_options& options,
                         call_site here) {
  const int digits = digits_of("uniform", type, here);
  require_finite("uniform", low, high, here);
  if (!(low < high)) refuse(here, "uniform from ", low, " to ", high, ": nothing lies between");
  if (!std::isfinite(high - low)) refuse(here, "uniform from ", low, " to ", high, ": too far apart");
  const array part = fraction(bits(shape, options, here), digits, type, here);
  if (low == 0 && high == 1) return part;
  // Sums may be rounded up to the end, which is not one of the numbers.
  return minimum(add(multiply(part, high - low, here), low, here), before(high, type, digits), here);
}

array generator::normal(const extents& shape, double mean, double deviation, scalar_kind type,
                        const array_options& options, call_site here) {
  require_finite("normal", mean, deviation, here);
  if (deviation < 0) refuse(here, "normal with the deviation ", deviation, ": it is not negative");
  const bool is_wide = digits_of("normal", type, here) > 24;
  const scalar_kind computed = is_wide ? scalar_kind::float64 : scalar_kind::float32;
  const int digits = is_wide ? 53 : 32;
  const stream_words words(shape, stream_++, seed_, options, here);
  // In (0, 1], whose logarithm exists, and an angle: of two words, or of the halves of one.
  const array first = words.low();
  const array second = is_wide ? words.high() : bitwise_left_shift(first, 32, here);
  const array radius_part = multiply(as_type(add(shifted(first, 64 - digits, here), 1, here), computed, here),
                                     std::ldexp(1.0, -digits), here);
  const array angle = multiply(fraction(second, is_wide ? 53 : 24, computed, here), 2 * M_PI, here);
  const array radius = sqrt(multiply(log(radius_part, here), -2, here), here);
  array made = multiply(radius, cos(angle, here), here);
  if (deviation != 1) made = multiply(made, deviation, here);
  if (mean != 0) made = add(made, mean, here);
  return as_type(made, type, here);
}

array generator::integers(std::int64_t low, std::int64_t high, const extents& shape, scalar_kind type,
                          const array_options& options, call_site here) {
  if (low >= high) refuse(here, "integers from ", low, " to ", high, ", without the last: there are none");
  static_cast<void>(number(low).element(type, here));
  static_cast<void>(number(high - 1).element(type, here));
  if (!kernels::contains(kernels::type_sets::integers, type))
    refuse<type_error>(here, "integers of type ", to_string(dtype::make(type)));
  const std::uint64_t range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  const stream_words words(shape, stream_++, seed_, options, here);
  // The upper part of range * (a fraction of 64 bits), or of 128 bits where 64 would favour some numbers.
  array made;
  if (range <= std::uint64_t{1} << 32) {
    made = apply(opcode::multiply_high, {words.low(), range}, word, here);
  } else {
    const array upper = words.high(), rest = multiply(upper, range, here);
    const array sum = add(rest, apply(opcode::multiply_high, {words.low(), range}, word, here), here);
    const array carry = as_type(less(sum, rest, here), word, here);
    made = add(apply(opcode::multiply_high, {upper, range}, word, here), carry, here);
  }
  return as_type(add(as_type(made, scalar_kind::int64, here), low, here), type, here);
}

}  // namespace tessera::nd
