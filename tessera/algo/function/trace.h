#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tessera/algo/device/views.h"
#include "tessera/algo/function/math.h"
#include "tessera/algo/function/op.h"
#include "tessera/algo/function/sym.h"

namespace tessera::algo {

/// A region of T with N axes, as an argument that a function is recorded with.
template <class T, int N>
struct region_of {};

/// While one lives, this thread records an expression.
class recording {
 public:
  recording();
  ~recording();
  recording(const recording&) = delete;
  recording& operator=(const recording&) = delete;

  /// The operator whose results are the steps `results`. Equal expressions share their text.
  [[nodiscard]] op finish(std::vector<op_parameter> parameters, const std::vector<kernels::expression::value>& results);
};

template <class T>
[[nodiscard]] sym<T> traced_argument(int place, std::type_identity<T>) {
  return sym<T>(recorded().parameter(place, dtype_of<T>().kind));
}
template <class T, int N>
[[nodiscard]] sym_region<T, N> traced_argument(int place, std::type_identity<region_of<T, N>>) {
  return sym_region<T, N>(place);
}

[[nodiscard]] op_parameter scalar_parameter(const dtype& type);
[[nodiscard]] op_parameter region_parameter(const dtype& type, int axes);
template <class T>
[[nodiscard]] op_parameter traced_parameter(std::type_identity<T>) {
  return scalar_parameter(dtype_of<T>());
}
template <class T, int N>
[[nodiscard]] op_parameter traced_parameter(std::type_identity<region_of<T, N>>) {
  return region_parameter(dtype_of<T>(), N);
}

template <class R>
[[nodiscard]] kernels::expression::value result_step(const R& result) {
  static_assert(number<scalar_t<R>>, "a function of `auto` parameters returns a number, or ts::tuple of numbers");
  return as_step<scalar_t<R>>(result);
}
template <class R>
[[nodiscard]] std::vector<kernels::expression::value> result_steps(const R& result) {
  return {result_step(result)};
}
template <class... R>
[[nodiscard]] std::vector<kernels::expression::value> result_steps(const tuple<R...>& results) {
  return [&]<int... K>(std::integer_sequence<int, K...>) {
    return std::vector<kernels::expression::value>{result_step(get<K>(results))...};
  }
  (std::make_integer_sequence<int, sizeof...(R)>());
}

/// Calls `function` with recorded values of types `Args` and makes an operator of what it computes.
template <class... Args, class F>
[[nodiscard]] op trace(const F& function) {
  recording active;
  return [&]<int... K>(std::integer_sequence<int, K...>) {
    const auto result = function(traced_argument(K, std::type_identity<Args>())...);
    return active.finish({traced_parameter(std::type_identity<Args>())...}, result_steps(result));
  }
  (std::make_integer_sequence<int, sizeof...(Args)>());
}

}  // namespace tessera::algo
