#pragma once

#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tessera/algo/container/matrix.h"
#include "tessera/algo/container/operand.h"
#include "tessera/algo/container/tensor.h"
#include "tessera/algo/container/vector.h"
#include "tessera/algo/exec/call.h"
#include "tessera/algo/function/callable.h"
#include "tessera/algo/function/sym.h"
#include "tessera/algo/function/type_name.h"
#include "tessera/array/value.h"
#include "tessera/base/bytes/value_bytes.h"

namespace tessera {

/// first, first + 1, ..., last - 1 as elements that are computed where they are used: nothing is stored.
template <class T>
struct counting_sequence {
  using value_type = T;
  T first;
  std::int64_t count;
  [[nodiscard]] std::int64_t size() const { return count; }
};
template <class T>
[[nodiscard]] counting_sequence<T> counting(T first, std::type_identity_t<T> last) {
  return {first, last > first ? static_cast<std::int64_t>(last - first) : 0};
}

/// Elements that are computed where they are used: view/sequence.h.
template <class T>
class lazy;

namespace algo {

template <class X>
inline constexpr bool is_lazy = false;
template <class T>
inline constexpr bool is_lazy<lazy<T>> = true;
template <class X>
inline constexpr bool is_counting = false;
template <class T>
inline constexpr bool is_counting<counting_sequence<T>> = true;

/// What algorithms take as a range: containers, their parts, views.
template <class R>
concept range_like = container_like<R> || is_lazy<std::remove_cvref_t<R>> || is_counting<std::remove_cvref_t<R>>;

/// What algorithms take as a function or a value where a range may stand, too.
template <class F>
concept not_a_range = !range_like<F> && !iterator_like<F>;

/// An argument of a skeleton with the type T of its elements, which have N axes, or of its value (N is 0).
template <class T, int N>
struct input {
  call_argument argument;
};

template <container_like C>
[[nodiscard]] auto input_of(const C& container) {
  using T = element_t<C>;
  return input<T, C::axes>{
      {call_argument::kind::elements, type_name<T>(), dtype_of<T>(), operand_of(container), 0, {}}};
}
template <class T>
[[nodiscard]] auto input_of(const counting_sequence<T>& sequence) {
  return input<T, 1>{{call_argument::kind::counting,
                      type_name<T>(),
                      dtype_of<T>(),
                      {},
                      sequence.count,
                      argument::from(sequence.first)}};
}
template <class T>
[[nodiscard]] auto input_of(const value<T>& v) {
  return input<T, 0>{{call_argument::kind::value, type_name<T>(), dtype_of<T>(), {}, 0, argument::from(v)}};
}
template <class T>
requires(!container_like<T>) [[nodiscard]] auto input_of(const T& uniform) {
  static_assert(
      std::is_trivially_copyable_v<T>,
      "skeletons take containers, numbers and trivially copyable structs: copy a std::vector into a ts::vector");
  return input<T, 0>{{call_argument::kind::uniform, type_name<T>(), dtype_of<T>(), {}, 0, argument::from(uniform)}};
}

[[nodiscard]] inline std::tuple<> inputs_of() { return {}; }
/// A pair of iterators is one argument, everything else one each.
template <class First, class... Rest>
[[nodiscard]] auto inputs_of(const First& first, const Rest&... rest);
template <iterator_like I, class... Rest>
[[nodiscard]] auto inputs_of_pair(const I& first, const I& last, const Rest&... rest) {
  using T = element_t<I>;
  const operand part = operand_of(first, last);
  return std::tuple_cat(
      std::make_tuple(input<T, 1>{{call_argument::kind::elements, type_name<T>(), dtype_of<T>(), part, 0, {}}}),
      inputs_of(rest...));
}
template <class First, class... Rest>
[[nodiscard]] auto inputs_of(const First& first, const Rest&... rest) {
  if constexpr (iterator_like<First>)
    return inputs_of_pair(first, rest...);
  else
    return std::tuple_cat(std::make_tuple(input_of(first)), inputs_of(rest...));
}

template <class... T, int... N>
[[nodiscard]] std::vector<call_argument> listed(const std::tuple<input<T, N>...>& inputs) {
  return std::apply([](const input<T, N>&... each) { return std::vector<call_argument>{each.argument...}; }, inputs);
}

/// What `inputs_of` gives for a tuple of arguments without its first N.
template <std::size_t N, class Tied, class Rest>
struct inputs_behind_of;
template <std::size_t N, class Tied, std::size_t... K>
struct inputs_behind_of<N, Tied, std::index_sequence<K...>> {
  using type = decltype(inputs_of(std::declval<std::tuple_element_t<N + K, Tied>>()...));
};
template <std::size_t N, class Tied>
using inputs_behind_t = typename inputs_behind_of<N, Tied, std::make_index_sequence<std::tuple_size_v<Tied> - N>>::type;

/// The operator of `function` for these inputs.
template <class F, class... T, int... N>
[[nodiscard]] op op_for(const F& function, const std::tuple<input<T, N>...>&, call_site here) {
  return make_op<T...>(function, here);
}
/// The operator of `function` for these inputs, beside `Other` in one kernel.
template <class Other, class F, class... T, int... N>
[[nodiscard]] op op_for_beside(const F& function, const std::tuple<input<T, N>...>&, call_site here) {
  return make_op_beside<Other, T...>(function, here);
}
/// True if `F` can be called with as many arguments.
template <class F, class Inputs>
inline constexpr bool takes_inputs = false;
template <class F, class... T, int... N>
inline constexpr bool takes_inputs<F, std::tuple<input<T, N>...>> = requires(const F& f) {
  f(traced_argument(0, std::type_identity<T>())...);
}
|| !std::is_void_v<library_operator_t<F>>;
template <class F, class... T, int... N>
inline constexpr bool takes_inputs<host_callable<F>, std::tuple<input<T, N>...>> = std::is_invocable_v<const F&, T...>;
template <class F, class Inputs>
struct result_for;
template <class F, class... T, int... N>
struct result_for<F, std::tuple<input<T, N>...>> {
  using type = call_result_t<F, T...>;
};
template <class F, class Inputs>
using result_for_t = typename result_for<F, Inputs>::type;

/// The container of R with the axes of the arguments' elements: vectors unless all are matrices or tensors.
template <class R, int N>
struct container_of {
  using type = tensor<R, N>;
};
template <class R>
struct container_of<R, 1> {
  using type = vector<R>;
};
template <class R>
struct container_of<R, 2> {
  using type = matrix<R>;
};
template <class R, int N>
using container_of_t = typename container_of<R, N>::type;

/// Axes of the elements that a call is made for: those of its first argument that is taken element by element.
template <int... N>
[[nodiscard]] constexpr int first_axes() {
  int axes = 0;
  ((axes = axes == 0 ? N : axes), ...);
  return axes;
}
template <class Signature, class Inputs>
struct element_axes;
template <class... T, int... N>
struct element_axes<void, std::tuple<input<T, N>...>> {
  static constexpr int value = first_axes<N...>();
};
template <class R, class... A, class... T, int... N>
struct element_axes<call_signature<R, A...>, std::tuple<input<T, N>...>> {
  static constexpr int value = [] {
    constexpr parameter_kind kinds[] = {parameter_traits<std::remove_cvref_t<A>>::kind..., parameter_kind::index};
    constexpr int axes[] = {N..., 0};
    std::size_t place = 0;
    for (const parameter_kind kind : kinds) {
      if (kind == parameter_kind::index) continue;
      if (place == sizeof...(N)) break;
      if (kind == parameter_kind::plain && axes[place] > 0) return axes[place];
      ++place;
    }
    return 0;
  }();
};
template <class F, class Inputs>
inline constexpr int element_axes_of = element_axes<typename own_signature<F>::type, Inputs>::value;

}  // namespace algo
}  // namespace tessera
