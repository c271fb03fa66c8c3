#pragma once

#include "tessera/algo/algorithm/bounds.h"
#include "tessera/algo/algorithm/order/merge.h"
#include "tessera/algo/algorithm/order/sort.h"
#include "tessera/algo/thrust/functional.h"
#include "tessera/algo/thrust/iterator/ranges.h"
#include "tessera/algo/thrust/named.h"

/// Sorts, merges, and searches in what is sorted. Every sort is stable.
namespace thrust {
namespace detail {

template <class I, class V, class Before>
void sorted_by_key(const I& first, const I& last, const V& values, const Before& before, call_site here) {
  in_place(values, std::next(values, last - first), here, [&](const auto& v, const auto&) {
    in_place(first, last, here,
             [&](const auto& x, const auto& y) { tessera::stable_sort_by_key(x, y, v, function_of(before), here); });
  });
}
/// A search for one value, of any type.
template <algo::search_kind Kind, class I, class T, class Before>
[[nodiscard]] auto search_one(const I& first, const I& last, const T& wanted, const Before& before, call_site here) {
  return algo::search_one<Kind>(range(first, last, here), wanted, function_of(before), here);
}
template <algo::search_kind Kind, class I, class J, class O, class Before>
O search_each(const I& first, const I& last, const J& first_query, const J& last_query, const O& out,
              const Before& before, call_site here) {
  const auto queries = range(first_query, last_query, here);
  return through<algo::search_result<Kind>>(out, queries.size(), context_of(queries), here, [&](const auto& to) {
    algo::search<Kind>(range(first, last, here), queries, to, function_of(before), here);
  });
}

}  // namespace detail

inline constexpr detail::named stable_sort(
    // stable_sort(first, last[, before])
    []<class Before = tessera::less>(tessera::call_site here, const auto& first, const auto& last,
                                     const Before& before = {}) {
      detail::in_place(first, last, here, [&](const auto& x, const auto& y) {
        tessera::stable_sort(x, y, detail::function_of(before), here);
      });
    });
inline constexpr detail::named sort = stable_sort;
inline constexpr detail::named stable_sort_by_key(
    // stable_sort_by_key(first, last, values[, before])
    []<class Before = tessera::less>(tessera::call_site here, const auto& first, const auto& last, const auto& values,
                                     const Before& before = {}) {
      detail::sorted_by_key(first, last, values, before, here);
    });
inline constexpr detail::named sort_by_key = stable_sort_by_key;

inline constexpr detail::named merge(
    // merge(first, last, other, other_last, out[, before])
    []<class I, class Before = tessera::less>(tessera::call_site here, const I& first, const I& last, const auto& other,
                                              const auto& other_last, const auto& out, const Before& before = {}) {
      const auto x = detail::stored_range(first, last, here);
      const auto y = detail::stored_range(other, other_last, here);
      const auto ctx =
          tessera::algo::context_of_all({tessera::algo::sequence_of(x, here), tessera::algo::sequence_of(y, here)});
      return detail::through<detail::value_t<I>>(out, x.size() + y.size(), ctx, here, [&](const auto& to) {
        tessera::merge(x, y, to, detail::function_of(before), here);
      });
    });
inline constexpr detail::named merge_by_key(
    // merge_by_key(first, last, other, other_last, values, other_values, keys_out, values_out[, before])
    []<class A, class B, class Before = tessera::less>(tessera::call_site here, const auto& first, const auto& last,
                                                       const auto& other, const auto& other_last, const auto& values,
                                                       const auto& other_values, const A& keys_out, const B& values_out,
                                                       const Before& before = {}) {
      const auto [keys, all] =
          tessera::merge_by_key(detail::stored_range(first, last, here), detail::stored_range(other, other_last, here),
                                detail::stored_range(values, std::next(values, last - first), here),
                                detail::stored_range(other_values, std::next(other_values, other_last - other), here),
                                detail::function_of(before), here);
      return detail::written_both(keys, all, keys_out, values_out, here);
    });

inline constexpr detail::named lower_bound(
    []<class I, class T, class Before = tessera::less>(tessera::call_site here, const I& first, const I& last,
                                                       const T& wanted, const Before& before = {}) {
      return std::next(first, detail::search_one<tessera::algo::search_kind::lower>(first, last, wanted, before, here));
    },
    []<class O, class Before = tessera::less>(tessera::call_site here, const auto& first, const auto& last,
                                              const auto& query, const auto& last_query, const O& out,
                                              const Before& before = {}) {
      return detail::search_each<tessera::algo::search_kind::lower>(first, last, query, last_query, out, before, here);
    });
inline constexpr detail::named upper_bound(
    []<class I, class T, class Before = tessera::less>(tessera::call_site here, const I& first, const I& last,
                                                       const T& wanted, const Before& before = {}) {
      return std::next(first, detail::search_one<tessera::algo::search_kind::upper>(first, last, wanted, before, here));
    },
    []<class O, class Before = tessera::less>(tessera::call_site here, const auto& first, const auto& last,
                                              const auto& query, const auto& last_query, const O& out,
                                              const Before& before = {}) {
      return detail::search_each<tessera::algo::search_kind::upper>(first, last, query, last_query, out, before, here);
    });
inline constexpr detail::named binary_search(
    []<class I, class T, class Before = tessera::less>(tessera::call_site here, const I& first, const I& last,
                                                       const T& wanted, const Before& before = {}) {
      return detail::search_one<tessera::algo::search_kind::found>(first, last, wanted, before, here);
    },
    []<class O, class Before = tessera::less>(tessera::call_site here, const auto& first, const auto& last,
                                              const auto& query, const auto& last_query, const O& out,
                                              const Before& before = {}) {
      return detail::search_each<tessera::algo::search_kind::found>(first, last, query, last_query, out, before, here);
    });
inline constexpr detail::named equal_range(
    // equal_range(first, last, wanted[, before])
    []<class I, class Before = tessera::less>(tessera::call_site here, const I& first, const I& last,
                                              const auto& wanted, const Before& before = {}) {
      return pair<I, I>(lower_bound.at(here, first, last, wanted, before),
                        upper_bound.at(here, first, last, wanted, before));
    });

}  // namespace thrust
