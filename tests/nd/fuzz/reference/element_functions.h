#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "tests/nd/fuzz/program/program.h"

namespace tessera::fuzz {

template <class T>
inline constexpr bool is_complex_type =
    std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;
template <class T>
inline constexpr bool is_integer_type = std::is_integral_v<T> && !std::is_same_v<T, bool>;

template <class To, class From>
To element_as(From a) {
  if constexpr (std::is_same_v<To, bool>) {
    return a != From(0);
  } else if constexpr (is_complex_type<To>) {
    using part = typename To::value_type;
    if constexpr (is_complex_type<From>)
      return {static_cast<part>(a.real()), static_cast<part>(a.imag())};
    else
      return {static_cast<part>(a), part(0)};
  } else if constexpr (is_complex_type<From>) {
    return To();  // no program does this
  } else if constexpr (is_integer_type<To> && std::is_floating_point_v<From>) {
    if (std::isnan(a)) return 0;
    // Numbers are compared with the limits as integers' neighbours, which floats have exactly.
    const From above = std::ldexp(From(1), std::numeric_limits<To>::digits);
    if (a >= above) return std::numeric_limits<To>::max();
    if (std::is_signed_v<To> ? a <= -above : a <= 0) return std::numeric_limits<To>::min();
    return static_cast<To>(a);
  } else {
    return static_cast<To>(a);
  }
}

/// Arithmetic modulo 2^n.
template <class T, class Use>
T wrapped(T a, T b, Use use) {
  return static_cast<T>(use(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
}

template <class T>
T sum_of(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a || b;
  else if constexpr (is_integer_type<T>)
    return wrapped(a, b, [](auto x, auto y) { return x + y; });
  else
    return a + b;
}
template <class T>
T difference_of(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a != b;
  else if constexpr (is_integer_type<T>)
    return wrapped(a, b, [](auto x, auto y) { return x - y; });
  else
    return a - b;
}
template <class T>
T product_of(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a && b;
  else if constexpr (is_integer_type<T>)
    return wrapped(a, b, [](auto x, auto y) { return x * y; });
  else if constexpr (is_complex_type<T>)
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  else
    return a * b;
}

/// The quotient rounded down and what remains, which has the divisor's sign. Integers divided by 0 give 0 and 0.
template <class T>
struct quotient {
  T whole{}, rest{};
};
template <class T>
quotient<T> divided(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (b == 0) return {a / b, std::fmod(a, b)};
    T rest = std::fmod(a, b), whole = (a - rest) / b;
    if (rest == 0) {
      rest = std::copysign(T(0), b);
    } else if (std::signbit(rest) != std::signbit(b) && !std::isnan(rest)) {
      rest += b;
      whole -= 1;
    }
    if (whole == 0) return {std::copysign(T(0), a / b), rest};
    const T down = std::floor(whole);
    return {whole - down > T(0.5) ? down + 1 : down, rest};
  } else if constexpr (std::is_same_v<T, bool>) {
    return {};
  } else {
    if (b == 0) return {};
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return {difference_of(T(0), a), 0};
      T whole = static_cast<T>(a / b), rest = static_cast<T>(a % b);
      if (rest != 0 && (rest < 0) != (b < 0)) whole = static_cast<T>(whole - 1), rest = static_cast<T>(rest + b);
      return {whole, rest};
    } else {
      return {static_cast<T>(a / b), static_cast<T>(a % b)};
    }
  }
}

template <class T>
T shifted(T a, T b, bool left) {
  if constexpr (std::is_same_v<T, bool>) return a;  // no program does this
  constexpr int bits = 8 * static_cast<int>(sizeof(T));
  const bool is_far = b < T(0) || static_cast<std::uint64_t>(b) >= bits;
  if (left) return is_far ? T(0) : static_cast<T>(static_cast<std::uint64_t>(a) << static_cast<int>(b));
  if (is_far) return static_cast<T>(a < T(0) ? -1 : 0);
  return static_cast<T>(a >> static_cast<int>(b));
}

/// Functions of integers and booleans only.
template <class T>
T bit_function(function f, T a, T b) {
  switch (f) {
    case function::bitwise_and:
      return static_cast<T>(a & b);
    case function::bitwise_or:
      return static_cast<T>(a | b);
    case function::bitwise_xor:
      return static_cast<T>(a ^ b);
    case function::bitwise_invert:
      if constexpr (std::is_same_v<T, bool>)
        return !a;
      else
        return static_cast<T>(~a);
    case function::bitwise_left_shift:
      return shifted(a, b, true);
    case function::bitwise_right_shift:
      return shifted(a, b, false);
    default:
      return a;
  }
}
/// Functions of floats only.
template <class T>
T rounding_function(function f, T a) {
  switch (f) {
    case function::sqrt:
      return std::sqrt(a);
    case function::floor:
      return std::floor(a);
    case function::ceil:
      return std::ceil(a);
    case function::trunc:
      return std::trunc(a);
    default:
      return std::nearbyint(a);
  }
}
/// Functions of numbers that can be compared. Of two equal ones the second is the less and the greater.
template <class T>
T ordered_function(function f, T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(a)) return a;
  switch (f) {
    case function::minimum:
      return a < b ? a : b;
    case function::maximum:
      return a > b ? a : b;
    case function::sign:
      return static_cast<T>(a > T(0) ? 1 : a < T(0) ? -1 : 0);
    default:
      break;
  }
  if constexpr (std::is_floating_point_v<T>) return std::abs(a);
  return a < T(0) ? difference_of(T(0), a) : a;
}

/// A function whose result has the type of its arguments.
template <class T>
T value_of(function f, T a, T b) {
  switch (f) {
    case function::negative:
      if constexpr (is_integer_type<T>)
        return difference_of(T(0), a);
      else
        return static_cast<T>(-a);
    case function::add:
      return sum_of(a, b);
    case function::subtract:
      return difference_of(a, b);
    case function::multiply:
      return product_of(a, b);
    case function::square:
      return product_of(a, a);
    case function::conj:
      if constexpr (is_complex_type<T>)
        return {a.real(), -a.imag()};
      else
        return a;
    default:
      break;
  }
  if constexpr (is_complex_type<T>) {
    using part = typename T::value_type;
    if (f == function::round) return {rounding_function<part>(f, a.real()), rounding_function<part>(f, a.imag())};
    return a;
  } else {
    switch (f) {
      case function::divide:
        if constexpr (std::is_floating_point_v<T>) return a / b;
        return a;
      case function::floor_divide:
        return divided(a, b).whole;
      case function::remainder:
        return divided(a, b).rest;
      case function::minimum:
      case function::maximum:
      case function::sign:
      case function::abs:
        return ordered_function(f, a, b);
      case function::positive:
        return a;
      default:
        break;
    }
    if constexpr (std::is_floating_point_v<T>)
      return rounding_function(f, a);
    else
      return bit_function(f, a, b);
  }
}

/// A question.
template <class T>
bool answer_of(function f, T a, T b) {
  const auto any = [](auto question, T x) {
    if constexpr (is_complex_type<T>)
      return question(x.real()) || question(x.imag());
    else if constexpr (std::is_floating_point_v<T>)
      return question(x);
    else
      return false;
  };
  const auto is_nan = [](auto x) { return std::isnan(x); };
  const auto is_inf = [](auto x) { return std::isinf(x); };
  const bool x = a != T(0), y = b != T(0);
  switch (f) {
    case function::isnan:
      return any(is_nan, a);
    case function::isinf:
      return any(is_inf, a);
    case function::isfinite:
      return !any(is_nan, a) && !any(is_inf, a);
    case function::logical_not:
      return !x;
    case function::logical_and:
      return x && y;
    case function::logical_or:
      return x || y;
    case function::logical_xor:
      return x != y;
    case function::equal:
      return a == b;
    case function::not_equal:
      return a != b;
    default:
      break;
  }
  if constexpr (is_complex_type<T>) {
    return false;
  } else {
    switch (f) {
      case function::less:
        return a < b;
      case function::less_equal:
        return a <= b;
      case function::greater:
        return a > b;
      default:
        return a >= b;
    }
  }
}

}  // namespace tessera::fuzz
