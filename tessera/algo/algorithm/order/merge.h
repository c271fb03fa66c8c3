#pragma once

#include <cstdint>
#include <utility>

#include "tessera/algo/algorithm/order/sort.h"
#include "tessera/algo/exec/sort/merge_launch.h"

/// Merges of two sorted ranges (containers, parts, views, pairs of iterators) by one order, stably: equal elements of
/// the first range go first. Outputs share no element with inputs. Where several devices take part, samples decide
/// which part of either range each of them merges.
namespace tessera {
namespace algo {

/// Throws `argument_error` if `out` has not the sizes and types of both inputs together, or shares elements with them.
void require_merged(const operand& left, const operand& right, const operand& out, call_site here);
/// A range as elements one behind the other: what is computed is stored first.
template <range_like R>
[[nodiscard]] operand stored_operand(const R& range, call_site here) {
  if constexpr (container_like<R>)
    return sorted_operand(operand_of(range), here);
  else
    return operand_of(lazy<element_t<R>>(sequence_of(range, here)).stored());
}

template <class T, class Before>
void merge_elements(const operand& x, const operand& y, const operand& out, const Before& before, call_site here) {
  const operand to = sorted_operand(out, here);
  require_merged(x, y, to, here);
  const std::string type = type_name<T>();
  merge_into({x, type}, {y, type}, {to, type}, order_of<T>(before, 0, here), here);
}

}  // namespace algo

template <algo::range_like R, algo::range_like S, algo::output_like Out, class Before = less>
requires(!algo::iterator_like<R>) void merge(const R& x, const S& y, const Out& out, const Before& before = {},
                                             call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  static_assert(std::is_same_v<T, algo::element_t<S>> && std::is_same_v<T, algo::element_t<Out>>,
                "ranges that are merged, and their output, have one element type: use views::transform to convert");
  const algo::operand a = algo::stored_operand(x, here), b = algo::stored_operand(y, here);
  algo::merge_elements<T>(a, b, algo::output_operand(out, {a.size() + b.size()}), before, here);
}
/// The merge in a new vector.
template <algo::range_like R, algo::range_like S, class Before = less>
requires(!algo::output_like<Before>)
    [[nodiscard]] vector<algo::element_t<R>> merge(const R& x, const S& y, const Before& before = {},
                                                   call_site here = call_site::current()) {
  const algo::operand out =
      algo::make_temporary(algo::sequence_of(x, here).ctx(), {x.size() + y.size()}, dtype_of<algo::element_t<R>>());
  vector<algo::element_t<R>> made(out.elements);
  merge(x, y, made, before, here);
  return made;
}
template <algo::iterator_like I, algo::iterator_like J, algo::iterator_like Out, class Before = less>
Out merge(const I& first, const I& last, const J& other_first, const J& other_last, const Out& out,
          const Before& before = {}, call_site here = call_site::current()) {
  merge(algo::range_between(first, last), algo::range_between(other_first, other_last), out, before, here);
  return out + ((last - first) + (other_last - other_first));
}

/// Keys merged, and values in the order of their keys: keys and values in new vectors.
template <algo::range_like K, algo::range_like L, algo::range_like V, algo::range_like W, class Before = less>
[[nodiscard]] std::pair<vector<algo::element_t<K>>, vector<algo::element_t<V>>> merge_by_key(
    const K& x_keys, const L& y_keys, const V& x_values, const W& y_values, const Before& before = {},
    call_site here = call_site::current()) {
  using T = algo::element_t<K>;
  using U = algo::element_t<V>;
  static_assert(std::is_same_v<T, algo::element_t<L>> && std::is_same_v<U, algo::element_t<W>>,
                "ranges that are merged have one element type: use views::transform to convert");
  const algo::operand a = algo::stored_operand(x_keys, here), b = algo::stored_operand(y_keys, here),
                      av = algo::stored_operand(x_values, here), bv = algo::stored_operand(y_values, here);
  algo::require_values(a, av, here);
  algo::require_values(b, bv, here);
  const context ctx = a.elements->ctx();
  const algo::operand keys = algo::make_temporary(ctx, {a.size() + b.size()}, dtype_of<T>()),
                      values = algo::make_temporary(ctx, {a.size() + b.size()}, dtype_of<U>());
  const std::string key = algo::type_name<T>(), value = algo::type_name<U>();
  algo::merge_into({a, key, av, value}, {b, key, bv, value}, {keys, key, values, value},
                   algo::order_of<T>(before, sizeof(U), here), here);
  return {vector<T>(keys.elements), vector<U>(values.elements)};
}

}  // namespace tessera
