#pragma once

#include <cstdint>
#include <utility>

#include "tessera/algo/algorithm/reduced.h"
#include "tessera/algo/view/views.h"

/// Algorithms that make one value of many elements: those of containers, parts, views or pairs of iterators, computed
/// where they are used, in the order of `ts::reduce`, so that results have the same bits on any devices and ranks. What
/// returns a `ts::value` returns at once; the others wait.
namespace tessera {

/// All elements of a view combined, by addition unless an operator is given; `ts::reduce<double>(view)` adds in double.
template <class T = void, class V, class G = plus>
requires(algo::is_lazy<V> || algo::is_counting<V>)
    [[nodiscard]] auto reduce(const V& view, const G& combine = {}, call_site here = call_site::current()) {
  using U = algo::element_t<V>;
  const algo::sequence all = algo::sequence_of(view, here);
  if constexpr (std::is_void_v<T> || std::is_same_v<T, U>)
    return algo::reduced<U>(all, combine, here);
  else
    return algo::reduced<T>(algo::applied_by<T, U>("tessera::algo::as_type", {algo::type_name<T>()}, {all}, here),
                            combine, here);
}

/// `f` of each element, combined.
template <algo::range_like R, class F, class G = plus>
[[nodiscard]] auto transform_reduce(const R& range, const F& f, const G& combine = {},
                                    call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  return algo::reduced<algo::call_result_t<F, T>>(algo::applied_to<T>(f, {algo::sequence_of(range, here)}, here),
                                                  combine, here);
}
template <algo::iterator_like I, class F, class G = plus>
[[nodiscard]] auto transform_reduce(const I& first, const I& last, const F& f, const G& combine = {},
                                    call_site here = call_site::current()) {
  return transform_reduce(algo::range_between(first, last), f, combine, here);
}

/// `f` of each pair of elements, combined: the sum of products unless operators are given.
template <algo::range_like R, algo::range_like S, class G = plus, class F = multiplies>
[[nodiscard]] auto inner_product(const R& x, const S& y, const G& combine = {}, const F& f = {},
                                 call_site here = call_site::current()) {
  using A = algo::element_t<R>;
  using B = algo::element_t<S>;
  return algo::reduced<algo::call_result_t<F, A, B>>(
      algo::applied_to<A, B>(f, {algo::sequence_of(x, here), algo::sequence_of(y, here)}, here), combine, here);
}
template <algo::iterator_like I, class Second, class G = plus, class F = multiplies>
requires(algo::iterator_like<Second> || algo::range_like<Second>)
    [[nodiscard]] auto inner_product(const I& first, const I& last, const Second& second, const G& combine = {},
                                     const F& f = {}, call_site here = call_site::current()) {
  return inner_product(algo::range_between(first, last), algo::ranged(second, last - first), combine, f, here);
}

/// How many elements `holds` for.
template <algo::range_like R, class Predicate>
[[nodiscard]] value<std::int64_t> count_if(const R& range, const Predicate& holds,
                                           call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  using B = algo::call_result_t<Predicate, T>;
  const algo::sequence flags = algo::applied_to<T>(holds, {algo::sequence_of(range, here)}, here);
  return algo::reduced<std::int64_t>(algo::applied_by<std::int64_t, B>("tessera::algo::truth", {}, {flags}, here),
                                     plus(), here);
}
template <algo::iterator_like I, class Predicate>
[[nodiscard]] value<std::int64_t> count_if(const I& first, const I& last, const Predicate& holds,
                                           call_site here = call_site::current()) {
  return count_if(algo::range_between(first, last), holds, here);
}
/// How many elements equal `wanted`.
template <algo::range_like R>
[[nodiscard]] value<std::int64_t> count(const R& range, const algo::element_t<R>& wanted,
                                        call_site here = call_site::current()) {
  const auto same = views::constant(wanted, range.size(), here);
  return count_if(views::zip(range, same) | views::transform(equal_to(), here), identity(), here);
}
template <algo::iterator_like I>
[[nodiscard]] value<std::int64_t> count(const I& first, const I& last, const algo::element_t<I>& wanted,
                                        call_site here = call_site::current()) {
  return count(algo::range_between(first, last), wanted, here);
}

// The place of the first least or greatest element, by `<` unless an order is given; -1, or `last`, without elements.
template <algo::range_like R, class Before = less>
[[nodiscard]] std::int64_t min_element(const R& range, const Before& before = {},
                                       call_site here = call_site::current()) {
  return algo::place_of_extreme<algo::element_t<R>>(algo::sequence_of(range, here), "tessera::algo::least", before,
                                                    here);
}
template <algo::range_like R, class Before = less>
[[nodiscard]] std::int64_t max_element(const R& range, const Before& before = {},
                                       call_site here = call_site::current()) {
  return algo::place_of_extreme<algo::element_t<R>>(algo::sequence_of(range, here), "tessera::algo::most", before,
                                                    here);
}
template <algo::range_like R, class Before = less>
[[nodiscard]] std::pair<std::int64_t, std::int64_t> minmax_element(const R& range, const Before& before = {},
                                                                   call_site here = call_site::current()) {
  return {min_element(range, before, here), max_element(range, before, here)};
}
template <algo::iterator_like I, class Before = less>
[[nodiscard]] I min_element(const I& first, const I& last, const Before& before = {},
                            call_site here = call_site::current()) {
  return first == last ? last : first + min_element(algo::range_between(first, last), before, here);
}
template <algo::iterator_like I, class Before = less>
[[nodiscard]] I max_element(const I& first, const I& last, const Before& before = {},
                            call_site here = call_site::current()) {
  return first == last ? last : first + max_element(algo::range_between(first, last), before, here);
}
template <algo::iterator_like I, class Before = less>
[[nodiscard]] std::pair<I, I> minmax_element(const I& first, const I& last, const Before& before = {},
                                             call_site here = call_site::current()) {
  return {min_element(first, last, before, here), max_element(first, last, before, here)};
}

}  // namespace tessera
