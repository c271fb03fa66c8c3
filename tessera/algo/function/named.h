#pragma once

#include <functional>
#include <utility>

#include "tessera/algo/device/operators.h"

namespace tessera::algo {

/// `ts::map<function>()`: a function of a TS_DEVICE block.
template <auto Function>
struct named_function {
  template <class... Args>
  constexpr decltype(auto) operator()(Args&&... args) const {
    return Function(std::forward<Args>(args)...);
  }
};

// The operators of device/operators.h, and those of the standard library that are the same.
template <class F>
struct library_operator {
  using type = void;
};
#define TESSERA_LIBRARY_OPERATOR(name) \
  template <>                          \
  struct library_operator<name> {      \
    using type = name;                 \
  };
#define TESSERA_STANDARD_OPERATOR(name)   \
  TESSERA_LIBRARY_OPERATOR(name)          \
  template <class T>                      \
  struct library_operator<std::name<T>> { \
    using type = name;                    \
  };
// clang-format off
TESSERA_STANDARD_OPERATOR(plus) TESSERA_STANDARD_OPERATOR(minus) TESSERA_STANDARD_OPERATOR(multiplies)
TESSERA_STANDARD_OPERATOR(divides) TESSERA_STANDARD_OPERATOR(modulus) TESSERA_STANDARD_OPERATOR(bit_and)
TESSERA_STANDARD_OPERATOR(bit_or) TESSERA_STANDARD_OPERATOR(bit_xor) TESSERA_STANDARD_OPERATOR(equal_to)
TESSERA_STANDARD_OPERATOR(not_equal_to) TESSERA_STANDARD_OPERATOR(less) TESSERA_STANDARD_OPERATOR(greater)
TESSERA_STANDARD_OPERATOR(less_equal) TESSERA_STANDARD_OPERATOR(greater_equal) TESSERA_STANDARD_OPERATOR(logical_and)
TESSERA_STANDARD_OPERATOR(logical_or) TESSERA_STANDARD_OPERATOR(negate) TESSERA_STANDARD_OPERATOR(logical_not)
TESSERA_STANDARD_OPERATOR(bit_not) TESSERA_LIBRARY_OPERATOR(identity) TESSERA_LIBRARY_OPERATOR(minimum)
TESSERA_LIBRARY_OPERATOR(maximum)
// clang-format on
#undef TESSERA_LIBRARY_OPERATOR
#undef TESSERA_STANDARD_OPERATOR
                                    template <class F>
                                    using library_operator_t = typename library_operator<F>::type;

}  // namespace tessera::algo
