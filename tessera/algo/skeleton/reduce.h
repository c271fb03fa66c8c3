#pragma once

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "tessera/algo/exec/placement/resolve.h"
#include "tessera/algo/exec/reduce_launch.h"
#include "tessera/algo/skeleton/inputs.h"
#include "tessera/algo/skeleton/map.h"
#include "tessera/algo/skeleton/outputs.h"

namespace tessera {
namespace algo {

/// What a reduction of no elements gives, where the operator has such a value.
template <class Operator, class T>
[[nodiscard]] std::optional<T> identity_of() {
  using known = library_operator_t<Operator>;
  if constexpr (!std::is_arithmetic_v<T>)
    return std::nullopt;
  else if constexpr (std::is_same_v<known, plus> || std::is_same_v<known, bit_or> || std::is_same_v<known, bit_xor> ||
                     std::is_same_v<known, logical_or>)
    return T(0);
  else if constexpr (std::is_same_v<known, multiplies> || std::is_same_v<known, logical_and>)
    return T(1);
  else if constexpr (std::is_same_v<known, bit_and>)
    return static_cast<T>(~T(0));
  else if constexpr (std::is_same_v<known, minimum>)
    return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
  else if constexpr (std::is_same_v<known, maximum>)
    return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                : std::numeric_limits<T>::lowest();
  else
    return std::nullopt;
}

/// The elements of `part`, and the value of the one it has.
[[nodiscard]] array_base elements_for_reading(const operand& part, call_site here);
[[noreturn]] void throw_nothing_to_reduce(call_site here);

}  // namespace algo

/// A function applied to every element and its results combined into one value. `f` and its arguments are as for `map`;
/// `combine` takes two results and must be associative and commutative. Returns at once; `get()` of the value waits.
template <class F, class G>
class map_reduce_skeleton {
 public:
  using function_type = F;
  map_reduce_skeleton(F function, G combine, call_site here)
      : function_(std::move(function)), combine_(std::move(combine)), site_(here) {}

  map_reduce_skeleton& on(const device_choice& where) & { return options_.on = where, *this; }
  map_reduce_skeleton&& on(const device_choice& where) && { return options_.on = where, std::move(*this); }
  map_reduce_skeleton& name(std::string given) & { return options_.name = std::move(given), *this; }
  map_reduce_skeleton&& name(std::string given) && { return options_.name = std::move(given), std::move(*this); }

  template <class... Args>
  [[nodiscard]] auto operator()(const Args&... args) const {
    const auto inputs = algo::inputs_of(args...);
    using result = algo::result_for_t<F, std::remove_const_t<decltype(inputs)>>;
    static_assert(algo::result_count<result> == 1,
                  "a reduction combines one result of its function: return a struct instead of a ts::tuple");
    const algo::op function = algo::op_for_beside<G>(function_, inputs, site_),
                   combine = algo::make_op_beside<F, result, result>(combine_, site_);
    const std::vector<algo::call_argument> given = algo::made_contiguous(algo::listed(inputs), site_);
    const algo::call bound = algo::bind_call("reduce", function, given, site_);
    const algo::skeleton_options options = algo::resolved(options_, bound, {});
    return reduced<result>({bound, combine, type_of<result>(), dtype_of<result>(), options}, algo::context_of(given));
  }

 private:
  template <class R>
  static std::string type_of() {
    return algo::type_name<R>();
  }
  template <class R>
  value<R> reduced(const algo::reduction& wanted, context ctx) const {
    if (box::whole(algo::common_shape("reduce", wanted.bound)).volume() == 0) {
      const std::optional<R> nothing = algo::identity_of<G, R>();
      if (!nothing) algo::throw_nothing_to_reduce(site_);
      return ctx.full<R>({1}, *nothing, automatic(), site_).value(site_);
    }
    return array<R>(algo::elements_for_reading(algo::reduce_all(wanted, ctx), site_)).value(site_);
  }

  F function_;
  G combine_;
  call_site site_;
  algo::skeleton_options options_;
};

template <class F, class G>
[[nodiscard]] map_reduce_skeleton<F, G> map_reduce(F f, G combine, call_site here = call_site::current()) {
  return {std::move(f), std::move(combine), here};
}

namespace algo {

/// An element converted to the type in which a reduction counts.
template <class T>
struct converted {
  template <class U>
  auto operator()(sym<U> x) const {
    return sym<T>(as_step<T>(x));
  }
  template <number U>
  T operator()(U x) const {
    return static_cast<T>(x);
  }
};

template <class T, class U, class G, class... Args>
[[nodiscard]] auto reduced(call_site here, const G& combine, const Args&... elements) {
  if constexpr (std::is_same_v<T, U>)
    return map_reduce(identity(), combine, here)(elements...);
  else
    return map_reduce(converted<T>(), combine, here)(elements...);
}

/// Each row, or column, of a matrix combined.
template <class T, class G>
[[nodiscard]] vector<T> reduced_lines(const operand& part, bool rows, const G& combine, call_site here) {
  const op function = make_op_beside<G, T>(identity(), here), both = make_op<T, T>(combine, here);
  const std::vector<call_argument> given =
      made_contiguous({{call_argument::kind::elements, type_name<T>(), dtype_of<T>(), part, 0, {}}}, here);
  const call bound = bind_call("reduce", function, given, here);
  const extents shape = part.shape();
  vector<T> result = new_output<T, 1>({shape[rows ? 0 : 1]}, part.elements->ctx());
  if (result.size() == 0) return result;
  if (shape[rows ? 1 : 0] == 0) {
    const std::optional<T> nothing = identity_of<G, T>();
    if (!nothing) throw_nothing_to_reduce(here);
    result.assign(result.size(), *nothing);
    return result;
  }
  const skeleton_options options = resolved(skeleton_options(), bound, {operand_of(result)});
  const reduction wanted{bound, both, type_name<T>(), dtype_of<T>(), options};
  if (rows)
    reduce_segments(wanted, shape[1], operand_of(result));
  else
    reduce_columns(wanted, part, operand_of(result));
  return result;
}

}  // namespace algo

/// All elements combined, by addition unless an operator is given: `ts::reduce(x)`, `ts::reduce(x, ts::maximum())`,
/// `ts::reduce<double>(floats)`, which adds in double.
template <class T = void, algo::container_like C, class G = plus>
[[nodiscard]] auto reduce(const C& container, const G& combine = {}, call_site here = call_site::current()) {
  using U = algo::element_t<C>;
  return algo::reduced<std::conditional_t<std::is_void_v<T>, U, T>, U>(here, combine, container);
}
template <class T = void, algo::iterator_like I, class G = plus>
[[nodiscard]] auto reduce(const I& first, const I& last, const G& combine = {}, call_site here = call_site::current()) {
  using U = algo::element_t<I>;
  return algo::reduced<std::conditional_t<std::is_void_v<T>, U, T>, U>(here, combine, first, last);
}

/// The elements of each row, or of each column, of a matrix combined.
template <algo::container_like C, class G = plus>
[[nodiscard]] auto reduce_rows(const C& matrix, const G& combine = {}, call_site here = call_site::current()) {
  static_assert(C::axes == 2, "rows are those of a matrix: use ts::reduce for a vector");
  return algo::reduced_lines<algo::element_t<C>>(algo::operand_of(matrix), true, combine, here);
}
template <algo::container_like C, class G = plus>
[[nodiscard]] auto reduce_columns(const C& matrix, const G& combine = {}, call_site here = call_site::current()) {
  static_assert(C::axes == 2, "columns are those of a matrix: use ts::reduce for a vector");
  return algo::reduced_lines<algo::element_t<C>>(algo::operand_of(matrix), false, combine, here);
}

}  // namespace tessera
