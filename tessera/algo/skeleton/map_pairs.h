#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tessera/algo/exec/map_launch.h"
#include "tessera/algo/exec/pairs/pairs_call.h"
#include "tessera/algo/exec/reduce_launch.h"
#include "tessera/algo/skeleton/inputs.h"
#include "tessera/algo/skeleton/map.h"
#include "tessera/algo/skeleton/outputs.h"
#include "tessera/algo/skeleton/reduce.h"

namespace tessera {

/// A function applied to all pairs of elements of two vectors: element (i, j) of the result is f(v[i], w[j]). `m(v, w,
/// 2.0f)` returns a new matrix, `m.into(out, v, w, 2.0f)` writes into one that exists; both return at once. Further
/// arguments are the same for all pairs. Throws `argument_error`.
template <class F>
class map_pairs_skeleton {
 public:
  using function_type = F;
  map_pairs_skeleton(F function, call_site here) : function_(std::move(function)), site_(here) {}

  map_pairs_skeleton& on(const device_choice& where) & { return options_.on = where, *this; }
  map_pairs_skeleton&& on(const device_choice& where) && { return options_.on = where, std::move(*this); }
  map_pairs_skeleton& name(std::string given) & { return options_.name = std::move(given), *this; }
  map_pairs_skeleton&& name(std::string given) && { return options_.name = std::move(given), std::move(*this); }

  template <class... Args>
  [[nodiscard]] auto operator()(const Args&... args) const {
    const auto inputs = algo::inputs_of(args...);
    using result = algo::result_for_t<F, std::remove_const_t<decltype(inputs)>>;
    const algo::op function = algo::op_for(function_, inputs, site_);
    const std::vector<algo::call_argument> given = algo::listed(inputs);
    const algo::call bound = algo::bind_pairs("map_pairs", function, given, site_);
    return algo::new_outputs<2>(
        algo::pairs_shape(bound), algo::context_of(given), std::type_identity<result>(),
        [&](std::vector<algo::operand> outputs) { algo::map_launch(bound, std::move(outputs), options_).launch(); });
  }
  /// `arguments` are one matrix per result, then the inputs.
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
  template <class Tied, class Use>
  void prepared(const Tied& arguments, Use use) const {
    constexpr std::size_t outputs = algo::output_count<algo::element_roles, F, Tied>();
    const auto inputs = algo::inputs_behind<outputs>(arguments);
    const algo::op function = algo::op_for(function_, inputs, site_);
    const std::vector<algo::call_argument> given = algo::listed(inputs);
    const algo::call bound = algo::bind_pairs("map_pairs", function, given, site_);
    const extents shape = algo::pairs_shape(bound);
    std::vector<algo::operand> operands = algo::outputs_before<outputs>(arguments, shape);
    for (const algo::operand& output : operands) algo::check_pairs_output(bound, output, shape);
    use(algo::map_launch(bound, std::move(operands), options_));
  }

  F function_;
  call_site site_;
  algo::skeleton_options options_;
};

/// `f` for all pairs of elements; see `map_pairs_skeleton`.
template <class F>
[[nodiscard]] map_pairs_skeleton<F> map_pairs(F f, call_site here = call_site::current()) {
  return {std::move(f), here};
}
/// A function of a TS_DEVICE block.
template <auto Function>
[[nodiscard]] map_pairs_skeleton<algo::named_function<Function>> map_pairs(call_site here = call_site::current()) {
  return {{}, here};
}

/// The rows of `map_pairs`, each combined into one element: element i of the result combines f(v[i], w[j]) over all j,
/// in the order of `reduce_rows`, and the matrix is never stored. `combine` must be associative and commutative.
template <class F, class G>
class map_pairs_reduce_skeleton {
 public:
  using function_type = F;
  map_pairs_reduce_skeleton(F function, G combine, call_site here)
      : function_(std::move(function)), combine_(std::move(combine)), site_(here) {}

  map_pairs_reduce_skeleton& on(const device_choice& where) & { return options_.on = where, *this; }
  map_pairs_reduce_skeleton&& on(const device_choice& where) && { return options_.on = where, std::move(*this); }
  map_pairs_reduce_skeleton& name(std::string given) & { return options_.name = std::move(given), *this; }
  map_pairs_reduce_skeleton&& name(std::string given) && { return options_.name = std::move(given), std::move(*this); }

  template <class... Args>
  [[nodiscard]] auto operator()(const Args&... args) const {
    const auto inputs = algo::inputs_of(args...);
    using result = algo::result_for_t<F, std::remove_const_t<decltype(inputs)>>;
    const std::vector<algo::call_argument> given = algo::listed(inputs);
    const algo::op function = algo::op_for_beside<G>(function_, inputs, site_);
    const algo::call bound = algo::bind_pairs("map_pairs_reduce", function, given, site_);
    vector<result> made = algo::new_output<result, 1>({algo::pairs_shape(bound)[0]}, algo::context_of(given));
    combine_rows(bound, made);
    return made;
  }
  /// `output` is a vector.
  template <class C, class... Args>
  void into(const C& output, const Args&... args) const {
    const auto inputs = algo::inputs_of(args...);
    using result = algo::result_for_t<F, std::remove_const_t<decltype(inputs)>>;
    static_assert(std::is_same_v<algo::element_t<C>, result>,
                  "the output has elements of another type than the function's result: make it a ts::vector of those");
    const std::vector<algo::call_argument> given = algo::listed(inputs);
    const algo::op function = algo::op_for_beside<G>(function_, inputs, site_);
    combine_rows(algo::bind_pairs("map_pairs_reduce", function, given, site_), output);
  }

 private:
  template <class C>
  void combine_rows(const algo::call& bound, const C& output) const {
    using T = algo::element_t<C>;
    const extents shape = algo::pairs_shape(bound);
    const algo::operand into = algo::output_operand(output, {shape[0]});
    algo::check_pairs_output(bound, into, {shape[0]});
    algo::check_overlap(bound, into);
    if (shape[0] == 0) return;
    if (shape[1] == 0) {
      const std::optional<T> nothing = algo::identity_of<G, T>();
      if (!nothing) algo::throw_nothing_to_reduce(site_);
      auto elements = container_part<T, 1>(into.elements, into.part).host(write, site_);
      std::fill(elements.begin(), elements.end(), *nothing);
      return;
    }
    const algo::op combine = algo::make_op_beside<F, T, T>(combine_, site_);
    const algo::skeleton_options options = algo::resolved(options_, bound, {into});
    algo::reduce_segments({bound, combine, algo::type_name<T>(), dtype_of<T>(), options}, shape[1], into);
  }

  F function_;
  G combine_;
  call_site site_;
  algo::skeleton_options options_;
};

template <class F, class G>
[[nodiscard]] map_pairs_reduce_skeleton<F, G> map_pairs_reduce(F f, G combine, call_site here = call_site::current()) {
  return {std::move(f), std::move(combine), here};
}

}  // namespace tessera
