#pragma once

#include <tuple>
#include <utility>
#include <vector>

#include "tessera/algo/exec/map_launch.h"
#include "tessera/algo/skeleton/inputs.h"
#include "tessera/algo/skeleton/outputs.h"

namespace tessera {
namespace algo {

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
  using function_type = F;
  map_skeleton(F function, call_site here) : function_(std::move(function)), site_(here) {}

  /// Where it runs; see `device_choice`.
  map_skeleton& on(const device_choice& where) & { return options_.on = where, *this; }
  map_skeleton&& on(const device_choice& where) && { return options_.on = where, std::move(*this); }
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
    return algo::new_outputs<axes>(
        algo::common_shape("map", bound), algo::context_of(given), std::type_identity<result>(),
        [&](std::vector<algo::operand> outputs) { algo::map_launch(bound, std::move(outputs), options_).launch(); });
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
  template <class Tied, class Use>
  void prepared(const Tied& arguments, Use use) const {
    constexpr std::size_t outputs = algo::output_count<algo::element_roles, F, Tied>();
    const auto inputs = algo::inputs_behind<outputs>(arguments);
    const algo::op function = algo::op_for(function_, inputs, site_);
    const std::vector<algo::call_argument> given = algo::listed(inputs);
    const algo::call bound = algo::bind_call("map", function, given, site_);
    use(algo::map_launch(bound, algo::outputs_before<outputs>(arguments, algo::common_shape("map", bound)), options_));
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
