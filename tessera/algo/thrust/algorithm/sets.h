#pragma once

#include "tessera/algo/algorithm/compact/sets.h"
#include "tessera/algo/algorithm/order/merge.h"
#include "tessera/algo/thrust/functional.h"
#include "tessera/algo/thrust/iterator/ranges.h"
#include "tessera/algo/thrust/named.h"

/// Sorted ranges as multisets, with the counts of the standard library. Unions and symmetric differences by key merge
/// what one range has and the other has not. All wait until it is known how many elements there are.
namespace thrust {
namespace detail {

/// `use(x, y, to)` writes some elements of both ranges to an output.
template <class I, class J, class O, class Use>
O set_of(const I& first, const I& last, const J& other, const J& other_last, const O& out, call_site here,
         const Use& use) {
  const auto x = range(first, last, here);
  const auto y = range(other, other_last, here);
  return through<value_t<I>>(out, x.size() + y.size(), algo::context_of_all({x.elements(), y.elements()}), here,
                             [&](const auto& to) { return use(x, y, to); });
}

}  // namespace detail

inline constexpr detail::named set_intersection(
    // set_intersection(first, last, other, other_last, out[, before])
    []<class Before = tessera::less>(tessera::call_site here, const auto& first, const auto& last, const auto& other,
                                     const auto& other_last, const auto& out, const Before& before = {}) {
      return detail::set_of(first, last, other, other_last, out, here,
                            [&](const auto& x, const auto& y, const auto& to) {
                              return tessera::set_intersection(x, y, to, detail::function_of(before), here);
                            });
    });
inline constexpr detail::named set_difference(
    // set_difference(first, last, other, other_last, out[, before])
    []<class Before = tessera::less>(tessera::call_site here, const auto& first, const auto& last, const auto& other,
                                     const auto& other_last, const auto& out, const Before& before = {}) {
      return detail::set_of(first, last, other, other_last, out, here,
                            [&](const auto& x, const auto& y, const auto& to) {
                              return tessera::set_difference(x, y, to, detail::function_of(before), here);
                            });
    });
inline constexpr detail::named set_union(
    // set_union(first, last, other, other_last, out[, before])
    []<class Before = tessera::less>(tessera::call_site here, const auto& first, const auto& last, const auto& other,
                                     const auto& other_last, const auto& out, const Before& before = {}) {
      return detail::set_of(first, last, other, other_last, out, here,
                            [&](const auto& x, const auto& y, const auto& to) {
                              return tessera::set_union(x, y, to, detail::function_of(before), here);
                            });
    });
inline constexpr detail::named set_symmetric_difference(
    // set_symmetric_difference(first, last, other, other_last, out[, before])
    []<class Before = tessera::less>(tessera::call_site here, const auto& first, const auto& last, const auto& other,
                                     const auto& other_last, const auto& out, const Before& before = {}) {
      return detail::set_of(first, last, other, other_last, out, here,
                            [&](const auto& x, const auto& y, const auto& to) {
                              return tessera::set_symmetric_difference(x, y, to, detail::function_of(before), here);
                            });
    });

inline constexpr detail::named set_intersection_by_key(
    // set_intersection_by_key(first, last, other, other_last, values, keys_out, values_out[, before])
    []<class Before = tessera::less>(tessera::call_site here, const auto& first, const auto& last, const auto& other,
                                     const auto& other_last, const auto& values, const auto& keys_out,
                                     const auto& values_out, const Before& before = {}) {
      const auto x = detail::range(first, last, here);
      const auto y = detail::range(other, other_last, here);
      const auto [keys, all] = tessera::set_intersection_by_key(x, y, detail::elements_from(values, x.size(), here),
                                                                detail::function_of(before), here);
      return detail::written_both(keys, all, keys_out, values_out, here);
    });
inline constexpr detail::named set_difference_by_key(
    // set_difference_by_key(first, last, other, other_last, values, other_values, keys_out, values_out[, before])
    []<class Before = tessera::less>(tessera::call_site here, const auto& first, const auto& last, const auto& other,
                                     const auto& other_last, const auto& values, const auto&, const auto& keys_out,
                                     const auto& values_out, const Before& before = {}) {
      const auto x = detail::range(first, last, here);
      const auto y = detail::range(other, other_last, here);
      const auto [keys, all] = tessera::set_difference_by_key(x, y, detail::elements_from(values, x.size(), here),
                                                              detail::function_of(before), here);
      return detail::written_both(keys, all, keys_out, values_out, here);
    });
inline constexpr detail::named set_union_by_key(
    // set_union_by_key(first, last, other, other_last, values, other_values, keys_out, values_out[, before])
    []<class Before = tessera::less>(tessera::call_site here, const auto& first, const auto& last, const auto& other,
                                     const auto& other_last, const auto& values, const auto& other_values,
                                     const auto& keys_out, const auto& values_out, const Before& before = {}) {
      const auto& f = detail::function_of(before);
      const auto x = detail::stored_range(first, last, here);
      const auto y = detail::range(other, other_last, here);
      const auto [more, beside] =
          tessera::set_difference_by_key(y, x, detail::elements_from(other_values, y.size(), here), f, here);
      const auto [keys, all] = tessera::merge_by_key(
          x, more, detail::stored_range(values, std::next(values, x.size()), here), beside, f, here);
      return detail::written_both(keys, all, keys_out, values_out, here);
    });
inline constexpr detail::named set_symmetric_difference_by_key(
    // set_symmetric_difference_by_key(first, last, other, other_last, values, other_values, keys_out, values_out[,
    // before])
    []<class Before = tessera::less>(tessera::call_site here, const auto& first, const auto& last, const auto& other,
                                     const auto& other_last, const auto& values, const auto& other_values,
                                     const auto& keys_out, const auto& values_out, const Before& before = {}) {
      const auto& f = detail::function_of(before);
      const auto x = detail::range(first, last, here);
      const auto y = detail::range(other, other_last, here);
      const auto [left, beside_left] =
          tessera::set_difference_by_key(x, y, detail::elements_from(values, x.size(), here), f, here);
      const auto [right, beside_right] =
          tessera::set_difference_by_key(y, x, detail::elements_from(other_values, y.size(), here), f, here);
      const auto [keys, all] = tessera::merge_by_key(left, right, beside_left, beside_right, f, here);
      return detail::written_both(keys, all, keys_out, values_out, here);
    });

}  // namespace thrust
