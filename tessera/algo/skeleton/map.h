#pragma once

#include <tuple>
#include <utility>
#include <vector>

#include "tessera/algo/exec/map_launch.h"
#include "tessera/algo/skeleton/inputs.h"

namespace tessera {
namespace algo {

template <class R>
inline constexpr std::size_t result_count = 1;
template <class... R>
inline constexpr std::size_t result_count<tuple<R...>> = sizeof...(R);

/// The context that a call without outputs runs in: that of its first container, else the default.
[[nodiscard]] context context_of(const std::vector<call_argument>& given);

}  // namespace algo

/// A function applied to every element. `m(x, y, 2.0f)` returns new containers, `m.into(out, x, y, 2.0f)` writes into
/// one that exists; both return at once. Containers and pairs of iterators give elements (whole containers where the
/// function's parameter says so: `ts::vec`, `ts::mat`, `ts::row`, ...), numbers, structs and `ts::value` are the same
/// for all elements. A function that returns a `ts::tuple` has as many outputs. Throws `argument_error`.
template <class F>
class map_skeleton {
 public:
  map_skeleton(F function, call_site here) : function_(std::move(function)), site_(here) {}

  /// Where it runs; see `tessera::split`.
  map_skeleton& on(const split& where) & { return options_.split = where, *this; }
  map_skeleton&& on(const split& where) && { return options_.split = where, std::move(*this); }
  /// What traces and messages call it.
  map_skeleton& name(std::string given) & { return options_.name = std::move(given), *this; }
  map_skeleton&& name(std::string given) && { return options_.name = std::move(given), std::move(*this); }

  template <class... Args>
  [[nodiscard]] auto operator()(const Args&... args) const {
    const auto inputs = algo::inputs_of(args...);
    using list = std::remove_const_t<decltype(inputs)>;
    constexpr int axes = algo::element_axes_of<F, list>;
    static_assert(axes > 0, "no argument gives elements: use into(output, ...), which says how many there are");
    const algo::op function = algo::op_for(function_, inputs, site_);
    const std::vector<algo::call_argument> given = algo::listed(inputs);
    const algo::call bound = algo::bind_call("map", function, given, site_);
    using result = algo::result_for_t<F, list>;
    return with_outputs<axes>(bound, algo::context_of(given), std::type_identity<result>());
  }

  /// `arguments` are one output per result (a container, a part, or the iterator at its first element), then the
  /// inputs.
  template <class... Args>
  void into(const Args&... arguments) const {
    prepared(std::tie(arguments...), [](const algo::map_launch& made) { made.launch(); });
  }
  /// The plan of `into(arguments...)` as text; nothing runs.
  template <class... Args>
  [[nodiscard]] std::string explain(const Args&... arguments) const {
    std::string text;
    prepared(std::tie(arguments...), [&](const algo::map_launch& made) { text = made.explain(); });
    return text;
  }

 private:
  template <int N, class R>
  auto with_outputs(const algo::call& bound, const context& ctx, std::type_identity<R>) const {
    algo::container_of_t<R, N> output = made<R, N>(bound, ctx);
    algo::map_launch(bound, {algo::operand_of(output)}, options_).launch();
    return output;
  }
  template <int N, class... R>
  auto with_outputs(const algo::call& bound, const context& ctx, std::type_identity<tuple<R...>>) const {
    std::tuple<algo::container_of_t<R, N>...> outputs{made<R, N>(bound, ctx)...};
    std::apply([&](auto&... each) { algo::map_launch(bound, {algo::operand_of(each)...}, options_).launch(); },
               outputs);
    return outputs;
  }
  /// A new container of the shape of the call's elements.
  template <class R, int N>
  static algo::container_of_t<R, N> made(const algo::call& bound, const context& ctx) {
    const extents shape = algo::common_shape("map", bound);
    if constexpr (N == 1)
      return vector<R>(shape[0], container_options(ctx));
    else if constexpr (N == 2)
      return matrix<R>(shape[0], shape[1], container_options(ctx));
    else
      return tensor<R, N>(shape, container_options(ctx));
  }

  template <class Tied, class Use>
  void prepared(const Tied& arguments, Use use) const {
    constexpr std::size_t outputs = outputs_of<Tied>();
    const auto inputs = [&]<std::size_t... K>(std::index_sequence<K...>) {
      return algo::inputs_of(std::get<outputs + K>(arguments)...);
    }
    (std::make_index_sequence<std::tuple_size_v<Tied> - outputs>());
    const algo::op function = algo::op_for(function_, inputs, site_);
    const std::vector<algo::call_argument> given = algo::listed(inputs);
    const algo::call bound = algo::bind_call("map", function, given, site_);
    const extents shape = algo::common_shape("map", bound);
    const auto operands = [&]<std::size_t... K>(std::index_sequence<K...>) {
      return std::vector<algo::operand>{output(std::get<K>(arguments), shape)...};
    }
    (std::make_index_sequence<outputs>());
    use(algo::map_launch(bound, operands, options_));
  }

  /// How many of the arguments are outputs: as many as the function has results for the others. It is found by trying,
  /// since the results may depend on the inputs: one output first, then as many as the results of that call are.
  template <class Tied>
  static constexpr std::size_t outputs_of() {
    using signature = typename algo::own_signature<F>::type;
    if constexpr (!std::is_void_v<signature>)
      return algo::result_count<std::remove_cvref_t<typename signature::result>>;
    else
      return recorded_outputs<Tied, 1>();
  }
  template <class Tied, std::size_t N>
  static constexpr std::size_t recorded_outputs() {
    static_assert(N < std::tuple_size_v<Tied>, "the function has more results than outputs are given");
    using inputs = algo::inputs_behind_t<N, Tied>;
    if constexpr (algo::takes_inputs<F, inputs>) {
      if constexpr (algo::result_count<algo::result_for_t<F, inputs>> == N)
        return N;
      else
        return recorded_outputs<Tied, N + 1>();
    } else {
      return recorded_outputs<Tied, N + 1>();
    }
  }

  template <algo::container_like C>
  static algo::operand output(const C& container, const extents&) {
    return algo::operand_of(container);
  }
  template <algo::iterator_like I>
  static algo::operand output(const I& first, const extents& shape) {
    return algo::operand_of(first, first + box::whole(shape).volume());
  }

  F function_;
  call_site site_;
  algo::skeleton_options options_;
};

/// `f` for every element; see `map_skeleton`.
template <class F>
[[nodiscard]] map_skeleton<F> map(F f, call_site here = call_site::current()) {
  return {std::move(f), here};
}
/// A function of a TS_DEVICE block.
template <auto Function>
[[nodiscard]] map_skeleton<algo::named_function<Function>> map(call_site here = call_site::current()) {
  return {{}, here};
}

}  // namespace tessera
