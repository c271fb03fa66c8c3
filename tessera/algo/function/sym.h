#pragma once

#include <concepts>
#include <span>
#include <type_traits>

#include "tessera/base/dtype.h"
#include "tessera/kernel/scalar/expression.h"

namespace tessera {

template <class T>
class sym;
template <class T, int N>
class sym_region;

namespace algo {

/// Scalars that expressions are made of.
template <class T>
concept number = std::is_arithmetic_v<T> && !std::is_same_v<T, long double>;

template <class T>
inline constexpr bool is_sym = false;
template <class T>
inline constexpr bool is_sym<sym<T>> = true;
template <class T, int N>
inline constexpr bool is_sym<sym_region<T, N>> = true;

/// What an operand of an expression counts as: T of `sym<T>`, a number as itself.
template <class T>
struct scalar_of {
  using type = T;
};
template <class T>
struct scalar_of<sym<T>> {
  using type = T;
};
template <class T, int N>
struct scalar_of<sym_region<T, N>> {
  using type = T;
};
template <class T>
using scalar_t = typename scalar_of<std::remove_cvref_t<T>>::type;

/// Two operands of which one at least is being recorded.
template <class A, class B>
concept operands = (is_sym<std::remove_cvref_t<A>> ||
                    is_sym<std::remove_cvref_t<B>>)&&number<scalar_t<A>>&& number<scalar_t<B>>;

/// The expression that this thread records. Functions of users are called with `sym` while there is one.
[[nodiscard]] kernels::expression& recorded();

template <number T>
[[nodiscard]] kernels::expression::value record_number(T value) {
  return recorded().constant(dtype_of<T>().kind, std::as_bytes(std::span(&value, 1)));
}

}  // namespace algo

/// A value of type T that a function computes with while its operations are recorded. It behaves as a T in expressions,
/// with C++'s conversions, but has no value: `if`, `while` and conversions to T do not compile. Write `select(c, a, b)`
/// instead of a branch, or the function as text (TS_FN).
template <class T>
class sym {
 public:
  static_assert(algo::number<T>,
                "a function of `auto` parameters is recorded, which takes numbers alone: for a struct, write "
                "TS_FN([](my_struct s) {...}) or a functor in TS_DEVICE(...), with the struct in TS_DEVICE(...), too");
  using value_type = T;

  /// For the library: step `step` of the expression that is being recorded.
  explicit sym(kernels::expression::value step) : step_(step) {}
  /// A number, or a value of another type converted.
  template <algo::number U>
  sym(U number) : step_(algo::record_number(static_cast<T>(number))) {}  // NOLINT: numbers are values
  template <class U>
  requires(!std::is_same_v<T, U>) explicit sym(sym<U> other)
      : step_(algo::recorded().apply(kernels::opcode::convert, dtype_of<T>().kind, {other.step()})) {}

  [[nodiscard]] kernels::expression::value step() const { return step_; }

  template <class U>
  sym& operator+=(const U& u) {
    return *this = sym(*this + u);
  }
  template <class U>
  sym& operator-=(const U& u) {
    return *this = sym(*this - u);
  }
  template <class U>
  sym& operator*=(const U& u) {
    return *this = sym(*this * u);
  }
  template <class U>
  sym& operator/=(const U& u) {
    return *this = sym(*this / u);
  }

 private:
  kernels::expression::value step_;
};

namespace algo {

/// `x` as a step of type T.
template <class T, class X>
[[nodiscard]] kernels::expression::value as_step(const X& x) {
  if constexpr (!is_sym<X>)
    return record_number(static_cast<T>(x));
  else if constexpr (std::is_same_v<scalar_t<X>, T>)
    return x.step();
  else
    return sym<T>(x).step();
}
/// `x` as a step of type T, of which an integer becomes part of the text, so that compilers know it.
template <class T, class X>
[[nodiscard]] kernels::expression::value as_known_step(const X& x) {
  if constexpr (std::is_integral_v<X> && std::is_integral_v<T>)
    return recorded().literal(dtype_of<T>().kind, static_cast<std::int64_t>(static_cast<T>(x)));
  else
    return as_step<T>(x);
}

template <class R, class T>
[[nodiscard]] sym<R> record(kernels::opcode operation, std::initializer_list<kernels::expression::value> operands) {
  return sym<R>(recorded().apply(operation, dtype_of<T>().kind, operands));
}

}  // namespace algo

/// C++'s arithmetic: both operands are converted to the type of the result.
#define TESSERA_ARITHMETIC(sign, operation, second)                                           \
  template <class A, class B>                                                                 \
  requires algo::operands<A, B>                                                               \
  [[nodiscard]] auto operator sign(const A& a, const B& b) {                                  \
    using result = decltype(algo::scalar_t<A>() sign algo::scalar_t<B>(1));                   \
    return algo::record<result, result>(kernels::opcode::operation,                           \
                                        {algo::as_step<result>(a), algo::second<result>(b)}); \
  }
#define TESSERA_COMPARISON(sign, operation, first, second)                                            \
  template <class A, class B>                                                                         \
  requires algo::operands<A, B>                                                                       \
  [[nodiscard]] sym<bool> operator sign(const A& a, const B& b) {                                     \
    using common = decltype(algo::scalar_t<A>() + algo::scalar_t<B>());                               \
    return algo::record<bool, common>(kernels::opcode::operation,                                     \
                                      {algo::as_step<common>(first), algo::as_step<common>(second)}); \
  }
#define TESSERA_LOGIC(sign, operation)                                                                             \
  template <class A, class B>                                                                                      \
  requires algo::operands<A, B>                                                                                    \
  [[nodiscard]] sym<bool> operator sign(const A& a, const B& b) {                                                  \
    return algo::record<bool, bool>(kernels::opcode::operation, {algo::as_step<bool>(a), algo::as_step<bool>(b)}); \
  }
/// The type of a shift is that of its first operand, promoted.
#define TESSERA_SHIFT(sign, operation)                                                            \
  template <class A, class B>                                                                     \
  requires algo::operands<A, B>                                                                   \
  [[nodiscard]] auto operator sign(const A& a, const B& b) {                                      \
    using result = decltype(algo::scalar_t<A>() sign algo::scalar_t<B>());                        \
    return algo::record<result, result>(kernels::opcode::operation,                               \
                                        {algo::as_step<result>(a), algo::as_known_step<int>(b)}); \
  }

TESSERA_ARITHMETIC(+, add, as_step)
TESSERA_ARITHMETIC(-, subtract, as_step)
TESSERA_ARITHMETIC(*, multiply, as_step)
TESSERA_ARITHMETIC(/, divide, as_known_step)
TESSERA_ARITHMETIC(%, remainder, as_known_step)
TESSERA_ARITHMETIC(&, bit_and, as_step)
TESSERA_ARITHMETIC(|, bit_or, as_step)
TESSERA_ARITHMETIC(^, bit_xor, as_step)
TESSERA_SHIFT(<<, shift_left)
TESSERA_SHIFT(>>, shift_right)
TESSERA_COMPARISON(==, equal, a, b)
TESSERA_COMPARISON(!=, not_equal, a, b)
TESSERA_COMPARISON(<, less, a, b)
TESSERA_COMPARISON(>, less, b, a)
TESSERA_COMPARISON(<=, less_equal, a, b)
TESSERA_COMPARISON(>=, less_equal, b, a)
TESSERA_LOGIC(&&, logical_and)  // both sides are always computed
TESSERA_LOGIC(||, logical_or)

#undef TESSERA_ARITHMETIC
#undef TESSERA_COMPARISON
#undef TESSERA_LOGIC
#undef TESSERA_SHIFT

template <class T>
[[nodiscard]] auto operator-(sym<T> x) {
  using result = decltype(-T());
  return algo::record<result, result>(kernels::opcode::negate, {algo::as_step<result>(x)});
}
template <class T>
[[nodiscard]] auto operator+(sym<T> x) {
  return sym<decltype(+T())>(algo::as_step<decltype(+T())>(x));
}
template <std::integral T>
[[nodiscard]] auto operator~(sym<T> x) {
  using result = decltype(~T());
  return algo::record<result, result>(kernels::opcode::bit_not, {algo::as_step<result>(x)});
}
template <class T>
[[nodiscard]] sym<bool> operator!(sym<T> x) {
  return algo::record<bool, bool>(kernels::opcode::logical_not, {algo::as_step<bool>(x)});
}

/// `value` converted to T, as `static_cast<T>` does it.
template <class T, class U>
[[nodiscard]] sym<T> to(sym<U> value) {
  return sym<T>(algo::as_step<T>(value));
}

/// The neighbourhood of an element of a container with N axes: `c(-1, 0)` is the element a row above, `c` alone the
/// element itself.
template <class T, int N>
class sym_region : public sym<T> {
 public:
  explicit sym_region(int place) : sym<T>(element(place)), place_(place) {}
  template <std::convertible_to<int>... I>
  [[nodiscard]] sym<T> operator()(I... offsets) const {
    static_assert(sizeof...(I) == N, "a neighbour takes one offset per axis");
    const int list[] = {static_cast<int>(offsets)...};
    return sym<T>(algo::recorded().neighbour(place_, dtype_of<T>().kind, list));
  }

 private:
  static kernels::expression::value element(int place) {
    const int none[N] = {};
    return algo::recorded().neighbour(place, dtype_of<T>().kind, none);
  }
  int place_;
};

}  // namespace tessera
