#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tessera/algo/exec/placement/context_tuning.h"
#include "tessera/algo/exec/placement/device_choice.h"
#include "tessera/algo/skeleton/inputs.h"
#include "tessera/algo/skeleton/map.h"
#include "tessera/algo/skeleton/outputs.h"

namespace tessera {
namespace algo {

/// Makes a call ready that is then made several times: on `where`, with containers of `size` elements.
using prepared_call = std::function<std::function<void()>(const device_choice& where, std::int64_t size)>;

/// Whether rows of a table stand for the function that was measured, or for all functions of its skeleton.
enum class row_scope : std::uint8_t { function, skeleton };

/// Measures calls on each kind of devices of `ctx` and adds the rows to the table. All ranks make the call.
std::vector<tuning_row> measure(const context& ctx, const std::vector<std::int64_t>& sizes,
                                const prepared_call& prepare, row_scope scope);

/// `like` with about `size` elements, equally many along each axis; anything but a container as it is.
template <class X>
[[nodiscard]] auto sized(const X& like, std::int64_t size, const context& ctx) {
  if constexpr (container_like<X>) {
    const auto side = X::axes == 1 ? size : std::llround(std::pow(static_cast<double>(size), 1.0 / X::axes));
    return new_output<element_t<X>, X::axes>(extents::uniform(X::axes, side), ctx, unwritten::zeros);
  } else {
    return like;
  }
}
template <class T>
[[nodiscard]] counting_sequence<T> sized(const counting_sequence<T>& like, std::int64_t size, const context&) {
  return {like.first, size};
}

// The containers that a function is measured with if none are given: of floats where its parameters have no types.
template <class P, parameter_kind K = parameter_traits<P>::kind>
struct example_of {
  static std::tuple<vector<P>> make(const context& ctx) { return {vector<P>(0, ctx)}; }
};
template <class P>
struct example_of<P, parameter_kind::index> {
  static std::tuple<> make(const context&) { return {}; }
};
template <class T>
struct example_of<vec<T>, parameter_kind::container> {
  static std::tuple<vector<T>> make(const context& ctx) { return {vector<T>(0, ctx)}; }
};
template <class Signature>
struct examples_of;
template <class R, class... A>
struct examples_of<call_signature<R, A...>> {
  static auto make(const context& ctx) { return std::tuple_cat(example_of<std::remove_cvref_t<A>>::make(ctx)...); }
};
template <std::size_t K>
using a_float = float;
template <class F, std::size_t... K>
[[nodiscard]] constexpr bool takes_floats(std::index_sequence<K...>) {
  if constexpr (!std::is_void_v<library_operator_t<F>>)
    return std::is_invocable_v<library_operator_t<F>, a_float<K>...>;
  else
    return std::is_invocable_v<const F&, sym<a_float<K>>...>;
}
template <class F, std::size_t N = 1>
[[nodiscard]] constexpr std::size_t float_count() {
  static_assert(N <= 6, "give arguments as the skeleton is called with: ts::tune(skeleton, sizes, x, y)");
  if constexpr (N > 6 || takes_floats<F>(std::make_index_sequence<N>()))
    return N;
  else
    return float_count<F, N + 1>();
}
template <class F>
[[nodiscard]] auto example_arguments(const context& ctx) {
  using signature = typename own_signature<F>::type;
  if constexpr (!std::is_void_v<signature>)
    return examples_of<signature>::make(ctx);
  else
    return [&]<std::size_t... K>(std::index_sequence<K...>) { return std::tuple(vector<a_float<K>>(0, ctx)...); }
  (std::make_index_sequence<float_count<F>()>());
}

/// The context of the first container; the default one if there is none.
template <class... Args>
[[nodiscard]] context context_among(const Args&... arguments) {
  return context_of(listed(inputs_of(arguments...)));
}

template <class Skeleton, class... Args>
std::vector<tuning_row> tune_as(row_scope scope, const Skeleton& skeleton, const std::vector<std::int64_t>& sizes,
                                const Args&... arguments) {
  const context ctx = context_among(arguments...);
  const auto prepare = [&](const device_choice& where, std::int64_t size) -> std::function<void()> {
    Skeleton placed = skeleton;
    placed.on(where);
    return [placed, with = std::make_tuple(sized(arguments, size, ctx)...)] {
      std::apply([&](const auto&... each) { static_cast<void>(placed(each...)); }, with);
    };
  };
  return measure(ctx, sizes, prepare, scope);
}

}  // namespace algo

/// Measures a skeleton on each kind of devices of a context, for containers of each of `sizes` elements, and keeps the
/// times in the table that choices between kinds of devices follow, of this context and of later runs. `arguments` are
/// as the skeleton is called with, of any size; left out: vectors of the parameters' types, of floats where these have
/// none. Waits for everything; all ranks make the call, and the times of rank 0 count.
template <class Skeleton, class First, class... Rest>
std::vector<algo::tuning_row> tune(const Skeleton& skeleton, const std::vector<std::int64_t>& sizes, const First& first,
                                   const Rest&... rest) {
  return algo::tune_as(algo::row_scope::function, skeleton, sizes, first, rest...);
}
template <class Skeleton>
std::vector<algo::tuning_row> tune(const Skeleton& skeleton, const std::vector<std::int64_t>& sizes) {
  return std::apply(
      [&](const auto&... each) { return algo::tune_as(algo::row_scope::function, skeleton, sizes, each...); },
      algo::example_arguments<typename Skeleton::function_type>(default_context()));
}

}  // namespace tessera
