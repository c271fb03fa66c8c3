#pragma once

#include "tessera/algo/algorithm/scan/by_key.h"
#include "tessera/algo/algorithm/scan/scans.h"
#include "tessera/algo/thrust/functional.h"
#include "tessera/algo/thrust/iterator/ranges.h"
#include "tessera/algo/thrust/named.h"

/// Running combinations. They count in the type of the elements, or of the initial value where there is one. All return
/// at once and give the iterator behind their output.
namespace thrust {
namespace detail {

template <class V, class O, class G>
O scanned_inclusively(const lazy<V>& all, const O& out, const G& combine, call_site here) {
  return through<V>(out, all.size(), context_of(all), here,
                    [&](const auto& to) { tessera::inclusive_scan(all, to, function_of(combine), here); });
}
template <class T, class V, class O, class G>
O scanned_exclusively(const lazy<V>& all, const O& out, const T& start, const G& combine, call_site here) {
  return through<T>(out, all.size(), context_of(all), here, [&](const auto& to) {
    tessera::exclusive_scan(converted<T>(all, here), to, start, function_of(combine), here);
  });
}

}  // namespace detail

inline constexpr detail::named inclusive_scan(
    []<class G = tessera::plus>(tessera::call_site here, const auto& first, const auto& last, const auto& out,
                                const G& combine = {}) {
      return detail::scanned_inclusively(detail::range(first, last, here), out, combine, here);
    },
    []<class T, class G>(tessera::call_site here, const auto& first, const auto& last, const auto& out, const T& start,
                         const G& combine) {
      const auto& f = detail::function_of(combine);
      const auto all = detail::converted<T>(detail::range(first, last, here), here);
      const tessera::vector<T> running = tessera::inclusive_scan(all, f, here);
      const auto begun = detail::repeated(start, all.size(), here);
      return detail::write(out, detail::mapped(f, here, begun, detail::range(running.begin(), running.end(), here)),
                           here);
    });
inline constexpr detail::named exclusive_scan(
    // exclusive_scan(first, last, out[, start[, combine]])
    []<class I, class T = detail::value_t<I>, class G = tessera::plus>(tessera::call_site here, const I& first,
                                                                       const I& last, const auto& out,
                                                                       const T& start = T{}, const G& combine = {}) {
      return detail::scanned_exclusively(detail::range(first, last, here), out, start, combine, here);
    });
inline constexpr detail::named transform_inclusive_scan([](tessera::call_site here, const auto& first, const auto& last,
                                                           const auto& out, const auto& f, const auto& combine) {
  return detail::scanned_inclusively(detail::mapped(f, here, detail::range(first, last, here)), out, combine, here);
});
inline constexpr detail::named transform_exclusive_scan([](tessera::call_site here, const auto& first, const auto& last,
                                                           const auto& out, const auto& f, const auto& start,
                                                           const auto& combine) {
  const auto all = detail::mapped(f, here, detail::range(first, last, here));
  return detail::scanned_exclusively(all, out, start, combine, here);
});

inline constexpr detail::named inclusive_scan_by_key(
    // inclusive_scan_by_key(first, last, values, out[, same[, combine]])
    []<class J, class Same = tessera::equal_to, class G = tessera::plus>(tessera::call_site here, const auto& first,
                                                                         const auto& last, const J& values,
                                                                         const auto& out, const Same& same = {},
                                                                         const G& combine = {}) {
      const auto keys = detail::range(first, last, here);
      const auto all = detail::elements_from(values, keys.size(), here);
      return detail::through<detail::value_t<J>>(out, all.size(), detail::context_of(all), here, [&](const auto& to) {
        tessera::inclusive_scan_by_key(keys, all, to, detail::function_of(same), detail::function_of(combine), here);
      });
    });
inline constexpr detail::named exclusive_scan_by_key(
    // exclusive_scan_by_key(first, last, values, out[, start[, same[, combine]]])
    []<class J, class T = detail::value_t<J>, class Same = tessera::equal_to, class G = tessera::plus>(
        tessera::call_site here, const auto& first, const auto& last, const J& values, const auto& out,
        const T& start = T{}, const Same& same = {}, const G& combine = {}) {
      const auto keys = detail::range(first, last, here);
      const auto all = detail::converted<T>(detail::elements_from(values, keys.size(), here), here);
      return detail::through<T>(out, all.size(), detail::context_of(all), here, [&](const auto& to) {
        tessera::exclusive_scan_by_key(keys, all, to, start, detail::function_of(same), detail::function_of(combine),
                                       here);
      });
    });

}  // namespace thrust
