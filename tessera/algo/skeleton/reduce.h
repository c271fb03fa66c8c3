#pragma once

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "tessera/algo/exec/placement/resolve.h"
#include "tessera/algo/exec/reduce_launch.h"
#include "tessera/algo/skeleton/associative.h"
#include "tessera/algo/skeleton/inputs.h"
#include "tessera/algo/skeleton/map.h"
#include "tessera/algo/skeleton/options.h"
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
class map_reduce_skeleton : public algo::with_options<map_reduce_skeleton<F, G>> {
 public:
  using function_type = F;
  map_reduce_skeleton(F function, G combine, call_site here, const algo::skeleton_options& options = {})
      : function_(std::move(function)), combine_(std::move(combine)), site_(here) {
    this->options_ = options;
  }

  template <class... Args>
  [[nodiscard]] auto operator()(const Args&... args) const {
    return prepared(
        this->options_, [&](const auto& wanted, context ctx, auto result) { return reduced(wanted, ctx, result); },
        args...);
  }
  /// The plans of its launches as text; nothing runs.
  template <class... Args>
  [[nodiscard]] std::string explain(const Args&... args) const {
    return this->told([&](const algo::skeleton_options& options) {
      const auto tell = [](const algo::reduction& wanted, const context& ctx, auto) {
        if (element_count(wanted) > 0) static_cast<void>(algo::reduce_all(wanted, ctx));
      };
      prepared(options, tell, args...);
    });
  }

 private:
  static std::int64_t element_count(const algo::reduction& wanted) {
    return box::whole(algo::common_shape("reduce", wanted.bound)).volume();
  }

  /// Calls `use` with the reduction, its context and the type of its result.
  template <class Use, class... Args>
  auto prepared(const algo::skeleton_options& chosen, Use use, const Args&... args) const {
    const auto inputs = algo::inputs_of(args...);
    using result = algo::result_for_t<F, std::remove_const_t<decltype(inputs)>>;
    static_assert(algo::result_count<result> == 1,
                  "a reduction combines one result of its function: return a struct instead of a ts::tuple");
    const algo::op function = algo::op_for_beside<G>(function_, inputs, site_),
                   combine = algo::make_op_beside<F, result, result>(combine_, site_);
    const std::vector<algo::call_argument> given = algo::made_contiguous(algo::listed(inputs), site_, chosen.told);
    const algo::call bound = algo::bind_call("reduce", function, given, site_);
    const algo::skeleton_options options = algo::resolved(chosen, bound, {});
    return use(algo::reduction{bound, combine, algo::type_name<result>(), dtype_of<result>(), options},
               algo::context_of(given), std::type_identity<result>());
  }
  template <class R>
  value<R> reduced(const algo::reduction& wanted, context ctx, std::type_identity<R>) const {
    if (element_count(wanted) == 0) {
      const std::optional<R> nothing = algo::identity_of<G, R>();
      if (!nothing) algo::throw_nothing_to_reduce(site_);
      return ctx.full<R>({1}, *nothing, automatic(), site_).value(site_);
    }
    return array<R>(algo::elements_for_reading(algo::reduce_all(wanted, ctx), site_)).value(site_);
  }

  F function_;
  G combine_;
  call_site site_;
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

/// Each row, or column, of a matrix combined.
template <class T, class G>
[[nodiscard]] vector<T> reduced_lines(const operand& part, bool rows, const G& combine, const skeleton_options& chosen,
                                      call_site here) {
  const op function = make_op_beside<G, T>(identity(), here), both = make_op<T, T>(combine, here);
  const std::vector<call_argument> given =
      made_contiguous({{call_argument::kind::elements, type_name<T>(), dtype_of<T>(), part, 0, {}}}, here, chosen.told);
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
  const skeleton_options options = resolved(chosen, bound, {operand_of(result)});
  const reduction wanted{bound, both, type_name<T>(), dtype_of<T>(), options};
  if (rows)
    reduce_segments(wanted, shape[1], operand_of(result));
  else
    reduce_columns(wanted, part, operand_of(result));
  return result;
}

}  // namespace algo

/// `ts::reduce(combine)`: a reduction that is not given its elements yet. As a call of `ts::reduce` with these.
template <class T, class G>
class reduce_skeleton : public algo::with_options<reduce_skeleton<T, G>> {
 public:
  reduce_skeleton(G combine, call_site here) : combine_(std::move(combine)), site_(here) {}

  /// Of a container, or of the elements between two iterators.
  template <class First, class... Last>
  [[nodiscard]] auto operator()(const First& first, const Last&... last) const {
    using U = algo::element_t<First>;
    if constexpr (std::is_void_v<T> || std::is_same_v<T, U>)
      algo::check_associative<U>("reduce", algo::operand_of(first, last...), combine_, site_);
    return over<U>()(first, last...);
  }
  /// The plans of its launches as text; nothing runs.
  template <class First, class... Last>
  [[nodiscard]] std::string explain(const First& first, const Last&... last) const {
    return over<algo::element_t<First>>().explain(first, last...);
  }

 private:
  template <class U>
  [[nodiscard]] auto over() const {
    using function = std::conditional_t<std::is_void_v<T> || std::is_same_v<T, U>, identity, algo::converted<T>>;
    return map_reduce_skeleton<function, G>(function(), combine_, site_, this->options_);
  }

  G combine_;
  call_site site_;
};

/// `ts::reduce_rows(combine)` and `ts::reduce_columns(combine)`, which are not given a matrix yet.
template <class G>
class reduce_lines_skeleton : public algo::with_options<reduce_lines_skeleton<G>> {
 public:
  reduce_lines_skeleton(bool rows, G combine, call_site here)
      : rows_(rows), combine_(std::move(combine)), site_(here) {}

  template <algo::container_like C>
  [[nodiscard]] auto operator()(const C& matrix) const {
    return made(matrix, this->options_);
  }
  /// The plans of its launches as text; nothing runs.
  template <algo::container_like C>
  [[nodiscard]] std::string explain(const C& matrix) const {
    return this->told([&](const algo::skeleton_options& options) { static_cast<void>(made(matrix, options)); });
  }

 private:
  template <class C>
  [[nodiscard]] auto made(const C& matrix, const algo::skeleton_options& options) const {
    static_assert(C::axes == 2, "rows and columns are those of a matrix: use ts::reduce for a vector");
    return algo::reduced_lines<algo::element_t<C>>(algo::operand_of(matrix), rows_, combine_, options, site_);
  }

  bool rows_;
  G combine_;
  call_site site_;
};

/// All elements combined, by addition unless an operator is given: `ts::reduce(x)`, `ts::reduce(x, ts::maximum())`,
/// `ts::reduce<double>(floats)`, which adds in double. Without elements the operator makes a skeleton, of which more
/// can be said: `ts::reduce(ts::maximum()).on(ts::cpu)(x)`.
template <class T = void, class G = plus>
requires(!algo::range_like<G> && !algo::iterator_like<G>)
    [[nodiscard]] reduce_skeleton<T, G> reduce(G combine = {}, call_site here = call_site::current()) {
  return {std::move(combine), here};
}
template <class T = void, algo::container_like C, class G = plus>
[[nodiscard]] auto reduce(const C& container, const G& combine = {}, call_site here = call_site::current()) {
  return reduce_skeleton<T, G>(combine, here)(container);
}
template <class T = void, algo::iterator_like I, class G = plus>
[[nodiscard]] auto reduce(const I& first, const I& last, const G& combine = {}, call_site here = call_site::current()) {
  return reduce_skeleton<T, G>(combine, here)(first, last);
}

/// The elements of each row, or of each column, of a matrix combined.
template <class G = plus>
requires(!algo::container_like<G>)
    [[nodiscard]] reduce_lines_skeleton<G> reduce_rows(G combine = {}, call_site here = call_site::current()) {
  return {true, std::move(combine), here};
}
template <algo::container_like C, class G = plus>
[[nodiscard]] auto reduce_rows(const C& matrix, const G& combine = {}, call_site here = call_site::current()) {
  return reduce_rows(combine, here)(matrix);
}
template <class G = plus>
requires(!algo::container_like<G>)
    [[nodiscard]] reduce_lines_skeleton<G> reduce_columns(G combine = {}, call_site here = call_site::current()) {
  return {false, std::move(combine), here};
}
template <algo::container_like C, class G = plus>
[[nodiscard]] auto reduce_columns(const C& matrix, const G& combine = {}, call_site here = call_site::current()) {
  return reduce_columns(combine, here)(matrix);
}

}  // namespace tessera
