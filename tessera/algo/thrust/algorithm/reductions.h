#pragma once

#include <cstdint>

#include "tessera/algo/algorithm/reductions.h"
#include "tessera/algo/algorithm/searches.h"
#include "tessera/algo/thrust/functional.h"
#include "tessera/algo/thrust/iterator/ranges.h"
#include "tessera/algo/thrust/named.h"

/// Algorithms that make one value, or find one place: all wait for it. Elements are combined in the type of the initial
/// value.
namespace thrust {
namespace detail {

/// `start` and all elements combined. The host combines them in the end where it knows the operator, or runs it; else
/// the launch begins with `start`, since a function that is recorded need not be one of numbers.
template <class T, class V, class G>
[[nodiscard]] T reduced(const lazy<V>& given, const T& start, const G& combine, call_site here) {
  if (given.size() == 0) return start;
  const lazy<T> all = converted<T>(given, here);
  const auto& f = function_of(combine);
  if constexpr (!std::is_void_v<algo::library_operator_t<G>> || algo::is_host_callable<G>) {
    return static_cast<T>(f(start, tessera::reduce(all, f, here).get(here)));
  } else {
    const algo::op begin = algo::wrapped("thrust::detail::begun", {algo::make_op<T, T>(f, here)}, {},
                                         algo::signature_for<T, T, T, std::int64_t>(), here);
    const std::int64_t n = all.size();
    const lazy<T> begun(
        algo::applied(begin, {repeated(start, n, here).elements(), all.elements(), algo::places(n, here)}, here));
    return tessera::reduce(begun, f, here).get(here);
  }
}
template <class I>
[[nodiscard]] I place_or(const I& first, const I& last, std::int64_t place) {
  return place < 0 ? last : std::next(first, place);
}

}  // namespace detail

inline constexpr detail::named reduce(
    // reduce(first, last[, start[, combine]])
    []<class I, class T = detail::value_t<I>, class G = tessera::plus>(tessera::call_site here, const I& first,
                                                                       const I& last, const T& start = T{},
                                                                       const G& combine = {}) {
      return detail::reduced(detail::range(first, last, here), start, combine, here);
    });
/// The result as the element of an output.
inline constexpr detail::named reduce_into(
    // reduce_into(first, last, out[, start[, combine]])
    []<class I, class T = detail::value_t<I>, class G = tessera::plus>(tessera::call_site here, const I& first,
                                                                       const I& last, const auto& out,
                                                                       const T& start = T{}, const G& combine = {}) {
      detail::write(out, detail::repeated(reduce.at(here, first, last, start, combine), 1, here), here);
    });
inline constexpr detail::named transform_reduce([](tessera::call_site here, const auto& first, const auto& last,
                                                   const auto& f, const auto& start, const auto& combine) {
  return detail::reduced(detail::mapped(f, here, detail::range(first, last, here)), start, combine, here);
});
inline constexpr detail::named inner_product(
    // inner_product(first, last, second, start[, combine[, f]])
    []<class T, class G = tessera::plus, class F = tessera::multiplies>(tessera::call_site here, const auto& first,
                                                                        const auto& last, const auto& second,
                                                                        const T& start, const G& combine = {},
                                                                        const F& f = {}) {
      const auto x = detail::range(first, last, here);
      return detail::reduced(detail::mapped(f, here, x, detail::elements_from(second, x.size(), here)), start, combine,
                             here);
    });

inline constexpr detail::named count_if([](tessera::call_site here, const auto& first, const auto& last,
                                           const auto& holds) {
  return tessera::count_if(detail::range(first, last, here), detail::function_of(holds), here).get(here);
});
inline constexpr detail::named count(
    // count(first, last, wanted)
    []<class I>(tessera::call_site here, const I& first, const I& last, const auto& wanted) {
      return tessera::count(detail::range(first, last, here), static_cast<detail::value_t<I>>(wanted), here).get(here);
    });

inline constexpr detail::named min_element(
    // min_element(first, last[, before])
    []<class I, class Before = tessera::less>(tessera::call_site here, const I& first, const I& last,
                                              const Before& before = {}) {
      const auto& f = detail::function_of(before);
      return detail::place_or(first, last, tessera::min_element(detail::range(first, last, here), f, here));
    });
inline constexpr detail::named max_element(
    // max_element(first, last[, before])
    []<class I, class Before = tessera::less>(tessera::call_site here, const I& first, const I& last,
                                              const Before& before = {}) {
      const auto& f = detail::function_of(before);
      return detail::place_or(first, last, tessera::max_element(detail::range(first, last, here), f, here));
    });
/// The first least and the first greatest element.
inline constexpr detail::named minmax_element(
    // minmax_element(first, last[, before])
    []<class I, class Before = tessera::less>(tessera::call_site here, const I& first, const I& last,
                                              const Before& before = {}) {
      return pair<I, I>(min_element.at(here, first, last, before), max_element.at(here, first, last, before));
    });

inline constexpr detail::named all_of([](tessera::call_site here, const auto& first, const auto& last,
                                         const auto& holds) {
  return tessera::all_of(detail::range(first, last, here), detail::function_of(holds), here);
});
inline constexpr detail::named any_of([](tessera::call_site here, const auto& first, const auto& last,
                                         const auto& holds) {
  return tessera::any_of(detail::range(first, last, here), detail::function_of(holds), here);
});
inline constexpr detail::named none_of([](tessera::call_site here, const auto& first, const auto& last,
                                          const auto& holds) {
  return tessera::none_of(detail::range(first, last, here), detail::function_of(holds), here);
});

inline constexpr detail::named find_if([](tessera::call_site here, const auto& first, const auto& last,
                                          const auto& holds) {
  return std::next(first, tessera::find_if(detail::range(first, last, here), detail::function_of(holds), here));
});
inline constexpr detail::named find_if_not([](tessera::call_site here, const auto& first, const auto& last,
                                              const auto& holds) {
  return std::next(first, tessera::find_if_not(detail::range(first, last, here), detail::function_of(holds), here));
});
inline constexpr detail::named find(
    // find(first, last, wanted)
    []<class I>(tessera::call_site here, const I& first, const I& last, const auto& wanted) {
      return std::next(first,
                       tessera::find(detail::range(first, last, here), static_cast<detail::value_t<I>>(wanted), here));
    });
inline constexpr detail::named mismatch(
    // mismatch(first, last, second[, same])
    []<class I, class J, class Same = tessera::equal_to>(tessera::call_site here, const I& first, const I& last,
                                                         const J& second, const Same& same = {}) {
      const auto x = detail::range(first, last, here);
      const auto y = detail::elements_from(second, x.size(), here);
      const std::int64_t place = tessera::mismatch(x, y, detail::function_of(same), here);
      return pair<I, J>(std::next(first, place), std::next(second, place));
    });
inline constexpr detail::named equal(
    // equal(first, last, second[, same])
    []<class I, class Same = tessera::equal_to>(tessera::call_site here, const I& first, const I& last,
                                                const auto& second, const Same& same = {}) {
      return mismatch.at(here, first, last, second, same).first == last;
    });

inline constexpr detail::named is_sorted_until(
    // is_sorted_until(first, last[, before])
    []<class I, class Before = tessera::less>(tessera::call_site here, const I& first, const I& last,
                                              const Before& before = {}) {
      const auto& f = detail::function_of(before);
      return std::next(first, tessera::is_sorted_until(detail::range(first, last, here), f, here));
    });
inline constexpr detail::named is_sorted(
    // is_sorted(first, last[, before])
    []<class I, class Before = tessera::less>(tessera::call_site here, const I& first, const I& last,
                                              const Before& before = {}) {
      return is_sorted_until.at(here, first, last, before) == last;
    });
inline constexpr detail::named partition_point([](tessera::call_site here, const auto& first, const auto& last,
                                                  const auto& holds) {
  const auto& f = detail::function_of(holds);
  return std::next(first, tessera::partition_point(detail::range(first, last, here), f, here));
});
inline constexpr detail::named is_partitioned([](tessera::call_site here, const auto& first, const auto& last,
                                                 const auto& holds) {
  return tessera::is_partitioned(detail::range(first, last, here), detail::function_of(holds), here);
});

}  // namespace thrust
