#pragma once

#include <cstdint>

#include "tessera/algo/algorithm/reduced.h"
#include "tessera/algo/exec/sort/order.h"

/// Sorts. All are stable, take any strict weak order (`<` unless one is given), and put elements in order where they
/// are: vectors, parts of them, pairs of iterators. Every device sorts its own elements; samples then decide which part
/// each device gets, and elements move once. Elements that are in order already do not move. Parts differ by less than
/// 2 % in the end, whatever the elements are. Waits twice for small reads where several devices take part. -0 equals
/// +0, and by `less` and `greater` NaN goes last. Throws `argument_error` for parts of a matrix that have gaps.
namespace tessera {
namespace algo {

/// Throws `argument_error` unless the elements are those of a vector, or a part of one.
[[nodiscard]] operand sorted_operand(const operand& elements, call_site here);
/// Throws `argument_error` if there are not as many values as keys, or if they are the same elements.
void require_values(const operand& keys, const operand& values, call_site here);
/// In check mode, throws `argument_error` if `before` is no strict weak order: names the first elements that show it.
void require_order(const operand& sorted, const std::string& type, const op& before, call_site here);

template <class T, class Before>
void sort_elements(const operand& keys, const Before& before, call_site here) {
  const keyed_elements all{sorted_operand(keys, here), type_name<T>()};
  const key_order order = order_of<T>(before, 0, here);
  sort_in_place(all, order, here);
  require_order(all.keys, all.key_type, order.before, here);
}
template <class T, class V, class Before>
void sort_elements_by_key(const operand& keys, const operand& values, const Before& before, call_site here) {
  const keyed_elements all{sorted_operand(keys, here), type_name<T>(), sorted_operand(values, here), type_name<V>()};
  require_values(all.keys, *all.values, here);
  const key_order order = order_of<T>(before, sizeof(V), here);
  sort_in_place(all, order, here);
  require_order(all.keys, all.key_type, order.before, here);
}

}  // namespace algo

template <algo::container_like C, class Before = less>
void stable_sort(const C& range, const Before& before = {}, call_site here = call_site::current()) {
  algo::sort_elements<algo::element_t<C>>(algo::operand_of(range), before, here);
}
template <algo::iterator_like I, class Before = less>
void stable_sort(const I& first, const I& last, const Before& before = {}, call_site here = call_site::current()) {
  algo::sort_elements<algo::element_t<I>>(algo::operand_of(first, last), before, here);
}
template <algo::container_like C, class Before = less>
void sort(const C& range, const Before& before = {}, call_site here = call_site::current()) {
  stable_sort(range, before, here);
}
template <algo::iterator_like I, class Before = less>
void sort(const I& first, const I& last, const Before& before = {}, call_site here = call_site::current()) {
  stable_sort(first, last, before, here);
}

/// Puts keys in order, and values in the order of their keys.
template <algo::container_like K, algo::container_like V, class Before = less>
void stable_sort_by_key(const K& keys, const V& values, const Before& before = {},
                        call_site here = call_site::current()) {
  algo::sort_elements_by_key<algo::element_t<K>, algo::element_t<V>>(algo::operand_of(keys), algo::operand_of(values),
                                                                     before, here);
}
template <algo::iterator_like I, algo::iterator_like V, class Before = less>
void stable_sort_by_key(const I& first, const I& last, const V& values, const Before& before = {},
                        call_site here = call_site::current()) {
  algo::sort_elements_by_key<algo::element_t<I>, algo::element_t<V>>(
      algo::operand_of(first, last), algo::operand_of(values, values + (last - first)), before, here);
}
template <algo::container_like K, algo::container_like V, class Before = less>
void sort_by_key(const K& keys, const V& values, const Before& before = {}, call_site here = call_site::current()) {
  stable_sort_by_key(keys, values, before, here);
}
template <algo::iterator_like I, algo::iterator_like V, class Before = less>
void sort_by_key(const I& first, const I& last, const V& values, const Before& before = {},
                 call_site here = call_site::current()) {
  stable_sort_by_key(first, last, values, before, here);
}

}  // namespace tessera
