#pragma once

#include "tessera/nd/ops/elementwise.h"

namespace tessera::nd {

// An operator of two arrays, and of an array and a number.
#define TESSERA_ND_OPERATOR(symbol, function)                                            \
  [[nodiscard]] inline array operator symbol(const array_here& a, const array_here& b) { \
    return function(a, b, a.site);                                                       \
  }                                                                                      \
  template <number_like T>                                                               \
  [[nodiscard]] array operator symbol(const array_here& a, T b) {                        \
    return function(a, b, a.site);                                                       \
  }                                                                                      \
  template <number_like T>                                                               \
  [[nodiscard]] array operator symbol(T a, const array_here& b) {                        \
    return function(a, b, b.site);                                                       \
  }
TESSERA_ND_OPERATOR(+, add)
TESSERA_ND_OPERATOR(-, subtract)
TESSERA_ND_OPERATOR(*, multiply)
TESSERA_ND_OPERATOR(/, divide)
TESSERA_ND_OPERATOR(%, remainder)
TESSERA_ND_OPERATOR(&, bitwise_and)
TESSERA_ND_OPERATOR(|, bitwise_or)
TESSERA_ND_OPERATOR(^, bitwise_xor)
TESSERA_ND_OPERATOR(<<, bitwise_left_shift)
TESSERA_ND_OPERATOR(>>, bitwise_right_shift)
TESSERA_ND_OPERATOR(==, equal)
TESSERA_ND_OPERATOR(!=, not_equal)
TESSERA_ND_OPERATOR(<, less)
TESSERA_ND_OPERATOR(<=, less_equal)
TESSERA_ND_OPERATOR(>, greater)
TESSERA_ND_OPERATOR(>=, greater_equal)
#undef TESSERA_ND_OPERATOR

// In place: the array keeps its type. On views, too: `a(0) += 1`.
#define TESSERA_ND_IN_PLACE(symbol, function)                                  \
  inline const array& operator symbol(const array& a, const operand_here& b) { \
    a.assign_result(function({a, b.site}, b, b.site), b.site);                 \
    return a;                                                                  \
  }
TESSERA_ND_IN_PLACE(+=, add)
TESSERA_ND_IN_PLACE(-=, subtract)
TESSERA_ND_IN_PLACE(*=, multiply)
TESSERA_ND_IN_PLACE(/=, divide)
TESSERA_ND_IN_PLACE(%=, remainder)
TESSERA_ND_IN_PLACE(&=, bitwise_and)
TESSERA_ND_IN_PLACE(|=, bitwise_or)
TESSERA_ND_IN_PLACE(^=, bitwise_xor)
#undef TESSERA_ND_IN_PLACE

}  // namespace tessera::nd
