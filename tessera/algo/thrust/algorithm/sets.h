#pragma once

#include "tessera/algo/algorithm/compact/sets.h"
#include "tessera/algo/algorithm/order/merge.h"
#include "tessera/algo/thrust/functional.h"
#include "tessera/algo/thrust/iterator/ranges.h"
#include "tessera/algo/thrust/named.h"

/// Sorted ranges as multisets, with the counts of the standard library. Unions and symmetric differences merge what one
/// range has and the other has not. All wait until it is known how many elements there are.
namespace thrust {

inline constexpr detail::named set_intersection(
    // set_intersection(first, last, other, other_last, out[, before])
    []<class Before = tessera::less>(tessera::call_site here, const auto& first, const auto& last, const auto& other,
                                     const auto& other_last, const auto& out, const Before& before = {}) {
      const auto x = detail::range(first, last, here);
      const auto y = detail::range(other, other_last, here);
      return detail::written(tessera::set_intersection(x, y, detail::function_of(before), here), out, here);
    });
inline constexpr detail::named set_difference(
    // set_difference(first, last, other, other_last, out[, before])
    []<class Before = tessera::less>(tessera::call_site here, const auto& first, const auto& last, const auto& other,
                                     const auto& other_last, const auto& out, const Before& before = {}) {
      const auto x = detail::range(first, last, here);
      const auto y = detail::range(other, other_last, here);
      return detail::written(tessera::set_difference(x, y, detail::function_of(before), here), out, here);
    });
inline constexpr detail::named set_union(
    // set_union(first, last, other, other_last, out[, before])
    []<class Before = tessera::less>(tessera::call_site here, const auto& first, const auto& last, const auto& other,
                                     const auto& other_last, const auto& out, const Before& before = {}) {
      const auto& f = detail::function_of(before);
      const auto x = detail::stored_range(first, last, here);
      const auto more = tessera::set_difference(detail::range(other, other_last, here), x, f, here);
      return detail::written(tessera::merge(x, more, f, here), out, here);
    });
inline constexpr detail::named set_symmetric_difference(
    // set_symmetric_difference(first, last, other, other_last, out[, before])
    []<class Before = tessera::less>(tessera::call_site here, const auto& first, const auto& last, const auto& other,
                                     const auto& other_last, const auto& out, const Before& before = {}) {
      const auto& f = detail::function_of(before);
      const auto x = detail::range(first, last, here);
      const auto y = detail::range(other, other_last, here);
      const auto merged =
          tessera::merge(tessera::set_difference(x, y, f, here), tessera::set_difference(y, x, f, here), f, here);
      return detail::written(merged, out, here);
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
