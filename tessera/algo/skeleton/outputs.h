#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "tessera/algo/container/storage.h"
#include "tessera/algo/skeleton/inputs.h"

namespace tessera::algo {

template <class R>
inline constexpr std::size_t result_count = 1;
template <class... R>
inline constexpr std::size_t result_count<tuple<R...>> = sizeof...(R);

/// What the containers among the inputs of a call are to its function: elements.
struct element_roles {
  template <class F, class Inputs>
  using inputs = Inputs;
};

template <class Roles, class F, class Tied, std::size_t N>
constexpr std::size_t recorded_output_count() {
  static_assert(
      N < std::tuple_size_v<Tied>,
      "the function has more results than outputs are given, or takes another number of inputs: give one output "
      "per result, then the inputs");
  using inputs = typename Roles::template inputs<F, inputs_behind_t<N, Tied>>;
  if constexpr (takes_inputs<F, inputs>) {
    if constexpr (result_count<result_for_t<F, inputs>> == N)
      return N;
    else
      return recorded_output_count<Roles, F, Tied, N + 1>();
  } else {
    return recorded_output_count<Roles, F, Tied, N + 1>();
  }
}
/// How many of the arguments are outputs: as many as the function has results for the others. It is found by trying,
/// since the results may depend on the inputs: one output first, then as many as the results of that call are.
template <class Roles, class F, class Tied>
constexpr std::size_t output_count() {
  using signature = typename own_signature<F>::type;
  if constexpr (!std::is_void_v<signature>)
    return result_count<std::remove_cvref_t<typename signature::result>>;
  else
    return recorded_output_count<Roles, F, Tied, 1>();
}

/// The inputs of a call whose first N arguments are its outputs.
template <std::size_t N, class Tied>
[[nodiscard]] auto inputs_behind(const Tied& arguments) {
  return [&]<std::size_t... K>(std::index_sequence<K...>) { return inputs_of(std::get<N + K>(arguments)...); }
  (std::make_index_sequence<std::tuple_size_v<Tied> - N>());
}

template <container_like C>
[[nodiscard]] operand output_operand(const C& container, const extents&) {
  return operand_of(container);
}
template <iterator_like I>
[[nodiscard]] operand output_operand(const I& first, const extents& shape) {
  return operand_of(first, first + box::whole(shape).volume());
}
/// The outputs, for elements of `shape`.
template <std::size_t N, class Tied>
[[nodiscard]] std::vector<operand> outputs_before(const Tied& arguments, const extents& shape) {
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    return std::vector<operand>{output_operand(std::get<K>(arguments), shape)...};
  }
  (std::make_index_sequence<N>());
}

/// What elements hold that a call does not write.
enum class unwritten : std::uint8_t { undefined, zeros };

/// A new container of N axes; nothing is filled in where the call writes everything.
template <class R, int N>
[[nodiscard]] container_of_t<R, N> new_output(const extents& shape, const context& ctx,
                                              unwritten contents = unwritten::undefined) {
  std::vector<std::byte> fill(contents == unwritten::zeros ? sizeof(R) : 0);
  return container_of_t<R, N>(std::make_shared<storage>(container_options(ctx), shape, dtype_of<R>(), std::move(fill)));
}
/// New containers of N axes for the results of a call, after `use` has had them written.
template <int N, class R, class Use>
[[nodiscard]] auto new_outputs(const extents& shape, const context& ctx, std::type_identity<R>, Use use,
                               unwritten contents = unwritten::undefined) {
  container_of_t<R, N> output = new_output<R, N>(shape, ctx, contents);
  use(std::vector<operand>{operand_of(output)});
  return output;
}
template <int N, class... R, class Use>
[[nodiscard]] auto new_outputs(const extents& shape, const context& ctx, std::type_identity<tuple<R...>>, Use use,
                               unwritten contents = unwritten::undefined) {
  std::tuple<container_of_t<R, N>...> outputs{new_output<R, N>(shape, ctx, contents)...};
  std::apply([&](auto&... each) { use(std::vector<operand>{operand_of(each)...}); }, outputs);
  return outputs;
}

}  // namespace tessera::algo
