#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "tessera/algo/algorithm/compact/partners.h"
#include "tessera/algo/algorithm/order/merge.h"

/// Sorted ranges as multisets, as in the standard library: of elements that are equal by the order `before` (`<` unless
/// one is given), m in `x` and n in `y`, the results have min(m, n), the first of `x`, or m - n, the last of `x`. Each
/// element of one range is looked for in the other by bisection: each device reads the part of either range that lies
/// between the first and the last of its elements, which a small read finds out; unions are merges
/// (algorithm/order/merge.h) of what is kept. Otherwise outputs and results are as algorithm/compact/compact.h says.
namespace tessera {
namespace algo {

/// The elements of x, of type T, that have no partner in y, in a new vector.
template <class T, class Before>
[[nodiscard]] vector<T> without_partner(const char* algorithm, const sequence& x, const sequence& y,
                                        const Before& before, const context& ctx, call_site here) {
  return kept_of(kept_with_partner<T>(algorithm, x, y, before, false, ctx, here), elements_of<T>{{x}});
}
/// In a new vector, in order: all elements of x, or those without a partner, and those of y that have none.
template <bool All, class R, class S, class Before>
[[nodiscard]] auto union_of(const char* algorithm, const R& x, const S& y, const Before& before, const context& ctx,
                            call_site here) {
  using T = element_t<R>;
  static_assert(std::is_same_v<T, element_t<S>>, "set operations compare elements of one type");
  const sequence first = sequence_of(x, here), second = sequence_of(y, here);
  const vector<T> rest = without_partner<T>(algorithm, second, first, before, ctx, here);
  if constexpr (All)
    return merge(lazy<T>(first), rest, before, here);
  else
    return merge(without_partner<T>(algorithm, first, second, before, ctx, here), rest, before, here);
}
template <bool All, class R, class S, class Out, class Before>
auto union_into(const char* algorithm, const R& x, const S& y, const Out& out, const Before& before, call_site here) {
  using T = element_t<R>;
  const vector<T> all = union_of<All>(algorithm, x, y, before, context_of_output(out), here);
  store(as_elements_of<T>(out, sequence_of(all, here), here),
        beginning_of(elements_to_write(out), all.size(), x.size() + y.size(), algorithm, here));
  return behind(out, counted_size(all.size()));
}

/// A set operation that keeps elements of its first range.
template <bool Wanted, class K, class S, class Before>
[[nodiscard]] auto set_of(const char* algorithm, const K& x, const S& y, const Before& before, call_site here) {
  using T = element_t<K>;
  static_assert(std::is_same_v<T, element_t<S>>, "set operations compare elements of one type");
  const auto from = elements_in(x, here);
  const sequence other = sequence_of(y, here);
  const context ctx = context_of_all({from.all[0], other});
  return kept_of(kept_with_partner<T>(algorithm, from.all[0], other, before, Wanted, ctx, here), from);
}
template <bool Wanted, class K, class S, class Out, class Before>
auto set_into(const char* algorithm, const K& x, const S& y, const Out& out, const Before& before, call_site here) {
  using T = element_t<K>;
  static_assert(std::is_same_v<T, element_t<S>>, "set operations compare elements of one type");
  const sequence all = sequence_of(x, here);
  return write_kept<T>(
      kept_with_partner<T>(algorithm, all, sequence_of(y, here), before, Wanted, context_of_output(out), here), all,
      out, here);
}
template <bool Wanted, class K, class S, class V, class Before>
[[nodiscard]] auto set_by_key(const char* algorithm, const K& keys, const S& others, const V& values,
                              const Before& before, call_site here) {
  using T = element_t<K>;
  const sequence all = sequence_of(keys, here), other = sequence_of(others, here);
  const elements_of<T, element_t<V>> from{{all, sequence_of(values, here)}};
  auto [first, second] =
      kept_of(kept_with_partner<T>(algorithm, all, other, before, Wanted, context_of_all({all, other}), here), from);
  return std::pair(std::move(first), std::move(second));
}

}  // namespace algo

/// The elements that are in both ranges.
template <algo::range_like R, algo::range_like S, algo::not_a_range Before = less>
[[nodiscard]] auto set_intersection(const R& x, const S& y, const Before& before = {},
                                    call_site here = call_site::current()) {
  return algo::set_of<true>("set_intersection", x, y, before, here);
}
template <algo::range_like R, algo::range_like S, algo::output_like Out, algo::not_a_range Before = less>
auto set_intersection(const R& x, const S& y, const Out& out, const Before& before = {},
                      call_site here = call_site::current()) {
  return algo::set_into<true>("set_intersection", x, y, out, before, here);
}
template <algo::iterator_like I, algo::iterator_like J, algo::output_like Out, algo::not_a_range Before = less>
auto set_intersection(const I& first, const I& last, const J& other, const J& end, const Out& out,
                      const Before& before = {}, call_site here = call_site::current()) {
  return set_intersection(algo::between(first, last, here), algo::between(other, end, here), out, before, here);
}
/// The keys that are in both ranges of keys, and the values beside those of the first one.
template <algo::range_like K, algo::range_like S, algo::range_like V, algo::not_a_range Before = less>
[[nodiscard]] auto set_intersection_by_key(const K& keys, const S& other_keys, const V& values,
                                           const Before& before = {}, call_site here = call_site::current()) {
  return algo::set_by_key<true>("set_intersection_by_key", keys, other_keys, values, before, here);
}

/// The elements of `x` that are not in `y`.
template <algo::range_like R, algo::range_like S, algo::not_a_range Before = less>
[[nodiscard]] auto set_difference(const R& x, const S& y, const Before& before = {},
                                  call_site here = call_site::current()) {
  return algo::set_of<false>("set_difference", x, y, before, here);
}
template <algo::range_like R, algo::range_like S, algo::output_like Out, algo::not_a_range Before = less>
auto set_difference(const R& x, const S& y, const Out& out, const Before& before = {},
                    call_site here = call_site::current()) {
  return algo::set_into<false>("set_difference", x, y, out, before, here);
}
template <algo::iterator_like I, algo::iterator_like J, algo::output_like Out, algo::not_a_range Before = less>
auto set_difference(const I& first, const I& last, const J& other, const J& end, const Out& out,
                    const Before& before = {}, call_site here = call_site::current()) {
  return set_difference(algo::between(first, last, here), algo::between(other, end, here), out, before, here);
}
/// The keys that are not among the other ones, and the values beside them.
template <algo::range_like K, algo::range_like S, algo::range_like V, algo::not_a_range Before = less>
[[nodiscard]] auto set_difference_by_key(const K& keys, const S& other_keys, const V& values, const Before& before = {},
                                         call_site here = call_site::current()) {
  return algo::set_by_key<false>("set_difference_by_key", keys, other_keys, values, before, here);
}

/// All elements of `x`, and those of `y` that are not in `x`, in order: max(m, n) of those that are equal, of which
/// those of `x` come first.
template <algo::range_like R, algo::range_like S, algo::not_a_range Before = less>
[[nodiscard]] auto set_union(const R& x, const S& y, const Before& before = {}, call_site here = call_site::current()) {
  const context ctx = algo::context_of_all({algo::sequence_of(x, here), algo::sequence_of(y, here)});
  return algo::union_of<true>("set_union", x, y, before, ctx, here);
}
template <algo::range_like R, algo::range_like S, algo::output_like Out, algo::not_a_range Before = less>
auto set_union(const R& x, const S& y, const Out& out, const Before& before = {},
               call_site here = call_site::current()) {
  return algo::union_into<true>("set_union", x, y, out, before, here);
}
template <algo::iterator_like I, algo::iterator_like J, algo::output_like Out, algo::not_a_range Before = less>
auto set_union(const I& first, const I& last, const J& other, const J& end, const Out& out, const Before& before = {},
               call_site here = call_site::current()) {
  return set_union(algo::between(first, last, here), algo::between(other, end, here), out, before, here);
}

/// The elements that are in one of both ranges, in order: |m - n| of those that are equal.
template <algo::range_like R, algo::range_like S, algo::not_a_range Before = less>
[[nodiscard]] auto set_symmetric_difference(const R& x, const S& y, const Before& before = {},
                                            call_site here = call_site::current()) {
  const context ctx = algo::context_of_all({algo::sequence_of(x, here), algo::sequence_of(y, here)});
  return algo::union_of<false>("set_symmetric_difference", x, y, before, ctx, here);
}
template <algo::range_like R, algo::range_like S, algo::output_like Out, algo::not_a_range Before = less>
auto set_symmetric_difference(const R& x, const S& y, const Out& out, const Before& before = {},
                              call_site here = call_site::current()) {
  return algo::union_into<false>("set_symmetric_difference", x, y, out, before, here);
}
template <algo::iterator_like I, algo::iterator_like J, algo::output_like Out, algo::not_a_range Before = less>
auto set_symmetric_difference(const I& first, const I& last, const J& other, const J& end, const Out& out,
                              const Before& before = {}, call_site here = call_site::current()) {
  return set_symmetric_difference(algo::between(first, last, here), algo::between(other, end, here), out, before, here);
}

}  // namespace tessera
