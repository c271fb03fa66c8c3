#pragma once

#include <cmath>
#include <cstdlib>
#include <optional>
#include <type_traits>

#include <tessera/algo.h>

#include "tests/algo/fuzz/expression/tree.h"

// The operations of expressions as C++ has them, for numbers and for values that are recorded alike.
namespace tessera::fuzz {

template <class X>
using base_of = algo::scalar_t<X>;
template <class X>
inline constexpr bool is_integer = std::is_integral_v<base_of<X>>;

// What numbers have under other names.
template <class A, class B>
requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>) auto min(const A& a, const B& b) {
  using T = std::common_type_t<A, B>;
  return std::min<T>(static_cast<T>(a), static_cast<T>(b));
}
template <class A, class B>
requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>) auto max(const A& a, const B& b) {
  using T = std::common_type_t<A, B>;
  return std::max<T>(static_cast<T>(a), static_cast<T>(b));
}
template <class A>
requires std::is_arithmetic_v<A>
auto abs(const A& a) {
  if constexpr (std::is_unsigned_v<decltype(-a)>)
    return +a;
  else
    return std::abs(-(-a));
}

// C++'s conversions are what is compared: the compiler's doubts about them have no place here.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wbool-operation"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"

/// V: the type that holds any value. Nothing where C++ has no such operation for these types.
template <class V, class X, class Y>
std::optional<V> apply(code operation, const X& x, const Y& y) {
  constexpr bool integers = is_integer<X> && is_integer<Y>;
  using std::copysign;
  switch (operation) {
    case code::add:
      return V(x + y);
    case code::subtract:
      return V(x - y);
    case code::multiply:
      return V(x * y);
    case code::divide:
      return V(x / y);
    case code::equal:
      return V(x == y);
    case code::not_equal:
      return V(x != y);
    case code::less:
      return V(x < y);
    case code::greater:
      return V(x > y);
    case code::less_equal:
      return V(x <= y);
    case code::greater_equal:
      return V(x >= y);
    case code::logical_and:
      return V(x && y);
    case code::logical_or:
      return V(x || y);
    case code::minimum:
      return V(min(x, y));
    case code::maximum:
      return V(max(x, y));
    case code::sign_of:
      return V(copysign(x, y));
    default:
      break;
  }
  if constexpr (integers) {
    if (operation == code::remainder) return V(x % y);
    if (operation == code::bit_and) return V(x & y);
    if (operation == code::bit_or) return V(x | y);
    if (operation == code::bit_xor) return V(x ^ y);
    if (operation == code::shift_left) return V(x << y);
    if (operation == code::shift_right) return V(x >> y);
  }
  return std::nullopt;
}

template <class V, class X>
std::optional<V> apply(code operation, const X& x) {
  using std::ceil, std::floor, std::isnan, std::rint, std::round, std::sqrt, std::trunc;
  switch (operation) {
    case code::negate:
      return V(-x);
    case code::unary_plus:
      return V(+x);
    case code::logical_not:
      return V(!x);
    case code::absolute:
      return V(abs(x));
    case code::square_root:
      return V(sqrt(x));
    case code::floor:
      return V(floor(x));
    case code::ceil:
      return V(ceil(x));
    case code::trunc:
      return V(trunc(x));
    case code::round:
      return V(round(x));
    case code::rint:
      return V(rint(x));
    case code::is_nan:
      return V(isnan(x));
    default:
      break;
  }
  if constexpr (is_integer<X> && !std::is_same_v<base_of<X>, bool>)
    if (operation == code::bit_not) return V(~x);
  return std::nullopt;
}

#pragma GCC diagnostic pop

/// Calls use.operator()<T>() with the type.
template <class Use>
auto with_scalar(scalar type, Use use) {
  switch (type) {
    case scalar::boolean:
      return use.template operator()<bool>();
    case scalar::int8:
      return use.template operator()<signed char>();
    case scalar::uint16:
      return use.template operator()<unsigned short>();
    case scalar::int32:
      return use.template operator()<int>();
    case scalar::uint32:
      return use.template operator()<unsigned>();
    case scalar::int64:
      return use.template operator()<long long>();
    case scalar::float32:
      return use.template operator()<float>();
    case scalar::float64:
      break;
  }
  return use.template operator()<double>();
}

}  // namespace tessera::fuzz
