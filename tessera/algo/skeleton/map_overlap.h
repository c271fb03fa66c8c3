#pragma once

#include <initializer_list>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tessera/algo/exec/stencil/stencil_launch.h"
#include "tessera/algo/skeleton/inputs.h"
#include "tessera/algo/skeleton/map.h"
#include "tessera/algo/skeleton/outputs.h"

namespace tessera {

/// What a function of `map_overlap` sees where an element has no neighbour.
struct edge_mode {
  algo::edge_kind kind;
  argument value{};
};
inline const edge_mode none{algo::edge_kind::none};            ///< Such elements are not computed.
inline const edge_mode duplicate{algo::edge_kind::duplicate};  ///< The nearest element.
inline const edge_mode cyclic{algo::edge_kind::cyclic};        ///< The element on the opposite side.
/// `value`, converted to the type of the elements.
template <class T>
[[nodiscard]] edge_mode pad(const T& value) {
  return {algo::edge_kind::pad, argument::from(value)};
}

namespace algo {

/// Containers are neighbourhoods of N axes to a function that is recorded; what they are to others, their parameters
/// say.
template <int N>
struct region_roles {
  template <class F, class Inputs>
  struct of;
  template <class F, class... T, int... A>
  struct of<F, std::tuple<input<T, A>...>> {
    static constexpr bool is_recorded = std::is_void_v<typename own_signature<F>::type>;
    using type = std::tuple<input<std::conditional_t<is_recorded && (A > 0), region_of<T, N>, T>, A>...>;
  };
  template <class F, class Inputs>
  using inputs = typename of<F, Inputs>::type;
};

/// Axes of the container that is a neighbourhood; all have the same.
template <class Signature, class Inputs>
struct region_axes {
  static constexpr int value = element_axes<Signature, Inputs>::value;
};
template <class R, class... A, class... T, int... N>
struct region_axes<call_signature<R, A...>, std::tuple<input<T, N>...>> {
  static constexpr int value = [] {
    constexpr parameter_kind kinds[] = {parameter_traits<std::remove_cvref_t<A>>::kind..., parameter_kind::index};
    constexpr int axes[] = {N..., 0};
    std::size_t place = 0;
    for (const parameter_kind kind : kinds) {
      if (kind == parameter_kind::index) continue;
      if (place == sizeof...(N)) break;
      if (kind == parameter_kind::region) return axes[place];
      ++place;
    }
    return 0;
  }();
};

/// The radius of a stencil of N axes; throws `argument_error` if it has another number of axes or is negative.
[[nodiscard]] std::vector<std::int64_t> checked_radius(std::initializer_list<int> radius, int axes, call_site here);
/// The names `ts::rows` and `ts::columns`, which are functions that make distributions.
using matrix_lines = tiled (*)(std::int64_t);
/// The axis along which these lines of a matrix lie; throws `argument_error` for other functions.
[[nodiscard]] int axis_along(matrix_lines lines, call_site here);
/// The shape of the container that is a neighbourhood; throws `argument_error` if there is none.
[[nodiscard]] extents region_shape(const call& bound);

}  // namespace algo

/// A function applied to every element and its neighbours, up to a radius on each of N axes. `s(x)` returns a new
/// container, `s.into(out, x, 2.0f)` writes into one that exists, which must not be read around its elements by the
/// same call; both return at once. To a function with `auto` parameters containers are neighbourhoods: `c(-1, 0)` is
/// the element a row above, `c` or `c(0, 0)` the element itself. Other functions have parameters `ts::region1<T>` to
/// `ts::region4<T>`, elements, uniform values and whatever `map` takes. Neighbours that do not exist are duplicates of
/// the nearest element, unless `edge` says otherwise. Throws `argument_error`.
template <int N, class F>
class map_overlap_skeleton {
  static_assert(N >= 1 && N <= 4, "neighbourhoods have 1 to 4 axes");
  static_assert(!algo::is_host_callable<F>,
                "ts::host does not take neighbourhoods: give map_overlap a lambda with auto parameters or TS_FN(...)");

 public:
  using function_type = F;
  map_overlap_skeleton(F function, std::initializer_list<int> radius, call_site here)
      : function_(std::move(function)), site_(here) {
    shape_.radius = algo::checked_radius(radius, N, here);
  }

  /// `ts::duplicate`, `ts::cyclic`, `ts::pad(value)`, or `ts::none`: elements that lack a neighbour within the radius
  /// are not computed, and keep what the output holds.
  map_overlap_skeleton& edge(const edge_mode& mode) & { return set_edge(mode), *this; }
  map_overlap_skeleton&& edge(const edge_mode& mode) && { return set_edge(mode), std::move(*this); }
  /// The function looks along the rows (`ts::rows`), or the columns (`ts::columns`), of matrices, each a vector of its
  /// own.
  map_overlap_skeleton& along(algo::matrix_lines lines) & { return set_lines(lines), *this; }
  map_overlap_skeleton&& along(algo::matrix_lines lines) && { return set_lines(lines), std::move(*this); }
  /// Where it runs; see `device_choice`. Elements at an edge follow `ts::on(device)` alone.
  map_overlap_skeleton& on(const device_choice& where) & { return options_.on = where, *this; }
  map_overlap_skeleton&& on(const device_choice& where) && { return options_.on = where, std::move(*this); }
  /// What traces and messages call it.
  map_overlap_skeleton& name(std::string given) & { return options_.name = std::move(given), *this; }
  map_overlap_skeleton&& name(std::string given) && { return options_.name = std::move(given), std::move(*this); }

  template <class... Args>
  [[nodiscard]] auto operator()(const Args&... args) const {
    const auto inputs = algo::inputs_of(args...);
    using list = roles<std::remove_const_t<decltype(inputs)>>;
    constexpr int axes = algo::region_axes<typename algo::own_signature<F>::type, list>::value;
    static_assert(axes > 0,
                  "no argument is a container with neighbourhoods: pass the one whose elements are looked at");
    const algo::op function = op_of<list>();
    const std::vector<algo::call_argument> given = algo::listed(inputs);
    const algo::call bound = algo::bind_call("map_overlap", function, given, site_, true);
    return algo::new_outputs<axes>(
        algo::region_shape(bound), algo::context_of(given), std::type_identity<algo::result_for_t<F, list>>(),
        [&](std::vector<algo::operand> outputs) {
          algo::stencil_launch(bound, std::move(outputs), shape_, options_).launch();
        },
        algo::unwritten::zeros);
  }
  /// `arguments` are one output per result (a container, a part, or the iterator at its first element), then the
  /// inputs.
  template <class... Args>
  void into(const Args&... arguments) const {
    prepared(std::tie(arguments...), [](const algo::stencil_launch& made) { made.launch(); });
  }
  /// The plans of the launches of `into(arguments...)` as text; nothing runs.
  template <class... Args>
  [[nodiscard]] std::string explain(const Args&... arguments) const {
    std::string text;
    prepared(std::tie(arguments...), [&](const algo::stencil_launch& made) { text = made.explain(); });
    return text;
  }
  /// Calls `use` with the launches of `into(arguments...)`; for tests.
  template <class Tied, class Use>
  void prepared(const Tied& arguments, Use use) const {
    constexpr std::size_t outputs = algo::output_count<algo::region_roles<N>, F, Tied>();
    const auto inputs = algo::inputs_behind<outputs>(arguments);
    const algo::op function = op_of<roles<std::remove_const_t<decltype(inputs)>>>();
    const std::vector<algo::call_argument> given = algo::listed(inputs);
    const algo::call bound = algo::bind_call("map_overlap", function, given, site_, true);
    use(algo::stencil_launch(bound, algo::outputs_before<outputs>(arguments, algo::region_shape(bound)), shape_,
                             options_));
  }

 private:
  template <class Inputs>
  using roles = typename algo::region_roles<N>::template inputs<F, Inputs>;
  template <class Roles>
  [[nodiscard]] algo::op op_of() const {
    return algo::op_for(function_, Roles(), site_);
  }
  void set_edge(const edge_mode& mode) {
    shape_.edge = mode.kind;
    shape_.padding = mode.value;
  }
  void set_lines(algo::matrix_lines lines) {
    static_assert(N == 1, "along rows or columns, neighbourhoods have one axis: use map_overlap<1>");
    shape_.along = algo::axis_along(lines, site_);
  }

  F function_;
  call_site site_;
  algo::stencil shape_;
  algo::skeleton_options options_;
};

/// `f` for every element with its neighbours; see `map_overlap_skeleton`.
template <int N, class F>
[[nodiscard]] map_overlap_skeleton<N, F> map_overlap(F f, std::initializer_list<int> radius,
                                                     call_site here = call_site::current()) {
  return {std::move(f), radius, here};
}
/// A function of a TS_DEVICE block: `ts::map_overlap<2, blur>({1, 1})`.
template <int N, auto Function>
[[nodiscard]] map_overlap_skeleton<N, algo::named_function<Function>> map_overlap(
    std::initializer_list<int> radius, call_site here = call_site::current()) {
  return {{}, radius, here};
}

}  // namespace tessera
