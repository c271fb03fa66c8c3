#pragma once

#include <type_traits>
#include <utility>

/// `_1 * 2 + _2`: functions written as expressions of their parameters. They are recorded as lambdas with `auto`
/// parameters are, and are host code too.
namespace thrust {
namespace detail {

/// What is put together with operators: parameters, constants and expressions of them.
struct expression {};
template <class X>
concept expression_like = std::is_base_of_v<expression, std::remove_cvref_t<X>>;

template <int K>
struct parameter : expression {
  template <class A, class... Rest>
  constexpr auto operator()(const A& a, const Rest&... rest) const {
    if constexpr (K == 0)
      return a;
    else
      return parameter<K - 1>()(rest...);
  }
};
template <class T>
struct constant : expression {
  T value;
  constexpr explicit constant(const T& v) : value(v) {}
  template <class... A>
  constexpr T operator()(const A&...) const {
    return value;
  }
};
template <class Op, class X>
struct expression_of_one : expression {
  X x;
  constexpr explicit expression_of_one(const X& operand) : x(operand) {}
  template <class... A>
  constexpr auto operator()(const A&... a) const {
    return Op()(x(a...));
  }
};
template <class Op, class X, class Y>
struct expression_of_two : expression {
  X x;
  Y y;
  constexpr expression_of_two(const X& first, const Y& second) : x(first), y(second) {}
  template <class... A>
  constexpr auto operator()(const A&... a) const {
    return Op()(x(a...), y(a...));
  }
};

template <class X>
[[nodiscard]] constexpr auto as_expression(const X& x) {
  if constexpr (expression_like<X>)
    return x;
  else
    return constant<X>(x);
}
template <class X>
using expression_t = decltype(as_expression(std::declval<const X&>()));

#define TESSERA_PLACEHOLDERS_OF_TWO(sign, name)                              \
  struct name {                                                              \
    template <class A, class B>                                              \
    constexpr auto operator()(const A& a, const B& b) const {                \
      return a sign b;                                                       \
    }                                                                        \
  };                                                                         \
  template <class X, class Y>                                                \
  requires(expression_like<X> || expression_like<Y>)                         \
  [[nodiscard]] constexpr auto operator sign(const X& x, const Y& y) {       \
    return expression_of_two<name, expression_t<X>, expression_t<Y>>(        \
        as_expression(x), as_expression(y));                                 \
  }
#define TESSERA_PLACEHOLDER_OF_ONE(sign, name)                \
  struct name {                                               \
    template <class A>                                        \
    constexpr auto operator()(const A& a) const {             \
      return sign a;                                          \
    }                                                         \
  };                                                          \
  template <expression_like X>                                \
  [[nodiscard]] constexpr auto operator sign(const X& x) {    \
    return expression_of_one<name, X>(x);                     \
  }
TESSERA_PLACEHOLDERS_OF_TWO(+, sum_of)
TESSERA_PLACEHOLDERS_OF_TWO(-, difference_of)
TESSERA_PLACEHOLDERS_OF_TWO(*, product_of)
TESSERA_PLACEHOLDERS_OF_TWO(/, quotient_of)
TESSERA_PLACEHOLDERS_OF_TWO(%, remainder_of)
TESSERA_PLACEHOLDERS_OF_TWO(==, is_equal)
TESSERA_PLACEHOLDERS_OF_TWO(!=, is_unequal)
TESSERA_PLACEHOLDERS_OF_TWO(<, is_less)
TESSERA_PLACEHOLDERS_OF_TWO(>, is_greater)
TESSERA_PLACEHOLDERS_OF_TWO(<=, is_at_most)
TESSERA_PLACEHOLDERS_OF_TWO(>=, is_at_least)
TESSERA_PLACEHOLDERS_OF_TWO(&&, both)
TESSERA_PLACEHOLDERS_OF_TWO(||, either)
TESSERA_PLACEHOLDERS_OF_TWO(&, common_bits)
TESSERA_PLACEHOLDERS_OF_TWO(|, joined_bits)
TESSERA_PLACEHOLDERS_OF_TWO(^, other_bits)
TESSERA_PLACEHOLDERS_OF_TWO(<<, shifted_left)
TESSERA_PLACEHOLDERS_OF_TWO(>>, shifted_right)
TESSERA_PLACEHOLDER_OF_ONE(-, negative)
TESSERA_PLACEHOLDER_OF_ONE(+, promoted)
TESSERA_PLACEHOLDER_OF_ONE(!, denied)
TESSERA_PLACEHOLDER_OF_ONE(~, turned_bits)
#undef TESSERA_PLACEHOLDERS_OF_TWO
#undef TESSERA_PLACEHOLDER_OF_ONE

}  // namespace detail

namespace placeholders {
// clang-format off
inline constexpr detail::parameter<0> _1{};
inline constexpr detail::parameter<1> _2{};
inline constexpr detail::parameter<2> _3{};
inline constexpr detail::parameter<3> _4{};
// clang-format on
}  // namespace placeholders
}  // namespace thrust
