#pragma once

#include <cmath>
#include <cstdlib>

#include "tessera/algo/function/sym.h"

/// Mathematical functions of recorded values, found by their argument: `sqrt(x)` in a function that takes `auto x`. As
/// in C++, integers count as double.
namespace tessera {
namespace algo {

template <class T>
using real_t = std::conditional_t<std::is_integral_v<T>, double, T>;

template <class A, class B>
using common_real_t = decltype(real_t<A>() + real_t<B>());

}  // namespace algo

#define TESSERA_FUNCTION(name, operation)                                                        \
  template <class T>                                                                             \
  [[nodiscard]] auto name(sym<T> x) {                                                            \
    using result = algo::real_t<T>;                                                              \
    return algo::record<result, result>(kernels::opcode::operation, {algo::as_step<result>(x)}); \
  }
#define TESSERA_FUNCTION_OF_TWO(name, operation)                                               \
  template <class A, class B>                                                                  \
  requires algo::operands<A, B>                                                                \
  [[nodiscard]] auto name(const A& a, const B& b) {                                            \
    using result = algo::common_real_t<algo::scalar_t<A>, algo::scalar_t<B>>;                  \
    return algo::record<result, result>(kernels::opcode::operation,                            \
                                        {algo::as_step<result>(a), algo::as_step<result>(b)}); \
  }
#define TESSERA_CLASSIFICATION(name, operation)                                            \
  template <class T>                                                                       \
  [[nodiscard]] sym<bool> name(sym<T> x) {                                                 \
    using real = algo::real_t<T>;                                                          \
    return algo::record<bool, real>(kernels::opcode::operation, {algo::as_step<real>(x)}); \
  }

// clang-format off
TESSERA_FUNCTION(sqrt, sqrt) TESSERA_FUNCTION(rsqrt, rsqrt) TESSERA_FUNCTION(cbrt, cbrt)
TESSERA_FUNCTION(exp, exp) TESSERA_FUNCTION(exp2, exp2) TESSERA_FUNCTION(expm1, expm1)
TESSERA_FUNCTION(log, log) TESSERA_FUNCTION(log2, log2) TESSERA_FUNCTION(log10, log10) TESSERA_FUNCTION(log1p, log1p)
TESSERA_FUNCTION(sin, sin) TESSERA_FUNCTION(cos, cos) TESSERA_FUNCTION(tan, tan)
TESSERA_FUNCTION(asin, asin) TESSERA_FUNCTION(acos, acos) TESSERA_FUNCTION(atan, atan)
TESSERA_FUNCTION(sinh, sinh) TESSERA_FUNCTION(cosh, cosh) TESSERA_FUNCTION(tanh, tanh)
TESSERA_FUNCTION(asinh, asinh) TESSERA_FUNCTION(acosh, acosh) TESSERA_FUNCTION(atanh, atanh)
TESSERA_FUNCTION(erf, erf) TESSERA_FUNCTION(erfc, erfc)
TESSERA_FUNCTION(floor, floor) TESSERA_FUNCTION(ceil, ceil) TESSERA_FUNCTION(trunc, trunc)
TESSERA_FUNCTION(round, round) TESSERA_FUNCTION(rint, rint)
TESSERA_FUNCTION_OF_TWO(pow, pow) TESSERA_FUNCTION_OF_TWO(atan2, atan2) TESSERA_FUNCTION_OF_TWO(hypot, hypot)
TESSERA_FUNCTION_OF_TWO(fmod, fmod) TESSERA_FUNCTION_OF_TWO(copysign, copysign)
TESSERA_CLASSIFICATION(isnan, is_nan) TESSERA_CLASSIFICATION(isinf, is_inf) TESSERA_CLASSIFICATION(isfinite, is_finite)
// clang-format on

#undef TESSERA_FUNCTION
#undef TESSERA_FUNCTION_OF_TWO
#undef TESSERA_CLASSIFICATION

    /// |x|; of small integers as int, as std::abs has it.
    template <class T>
    [[nodiscard]] auto abs(sym<T> x) {
  using result = decltype(-T());
  if constexpr (std::is_unsigned_v<result>)
    return sym<result>(algo::as_step<result>(x));
  else
    return algo::record<result, result>(kernels::opcode::absolute, {algo::as_step<result>(x)});
}
template <class T>
[[nodiscard]] auto fabs(sym<T> x) {
  using result = algo::real_t<T>;
  return algo::record<result, result>(kernels::opcode::absolute, {algo::as_step<result>(x)});
}

/// The first of two that are equal, as std::min and std::max; of numbers of two types, in their common type.
template <class A, class B>
requires algo::operands<A, B>
[[nodiscard]] auto min(const A& a, const B& b) {
  using result = std::common_type_t<algo::scalar_t<A>, algo::scalar_t<B>>;
  return algo::record<result, result>(kernels::opcode::minimum, {algo::as_step<result>(a), algo::as_step<result>(b)});
}
template <class A, class B>
requires algo::operands<A, B>
[[nodiscard]] auto max(const A& a, const B& b) {
  using result = std::common_type_t<algo::scalar_t<A>, algo::scalar_t<B>>;
  return algo::record<result, result>(kernels::opcode::maximum, {algo::as_step<result>(a), algo::as_step<result>(b)});
}
/// x * y + z, rounded once.
template <class T>
requires std::floating_point<T>
[[nodiscard]] sym<T> fma(sym<T> x, sym<T> y, sym<T> z) {
  return algo::record<T, T>(kernels::opcode::fma, {x.step(), y.step(), z.step()});
}

/// `condition ? a : b`, where both are computed.
template <class A, class B>
[[nodiscard]] auto select(sym<bool> condition, const A& a, const B& b) {
  using result = std::common_type_t<algo::scalar_t<A>, algo::scalar_t<B>>;
  return algo::record<result, result>(kernels::opcode::select,
                                      {condition.step(), algo::as_step<result>(a), algo::as_step<result>(b)});
}
/// On plain values, so that one function serves as host code too.
template <class A, class B>
[[nodiscard]] constexpr std::common_type_t<A, B> select(bool condition, const A& a, const B& b) {
  return condition ? std::common_type_t<A, B>(a) : std::common_type_t<A, B>(b);
}

}  // namespace tessera
