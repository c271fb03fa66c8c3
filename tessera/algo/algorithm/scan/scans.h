#pragma once

#include <optional>

#include "tessera/algo/algorithm/scan/scanned.h"
#include "tessera/algo/skeleton/scan.h"

/// Running combinations of ranges: containers, parts, views or pairs of iterators. Operators are associative; they need
/// neither commute nor have an identity. Results are those of combining in order, and have the same bits on any devices
/// and ranks. Elements of views are computed where they are used. An output may be an input, element for element;
/// without an output a new vector is returned. Calls return at once. All throw `argument_error` for outputs of another
/// size, and for those that share other elements with an input. From the last element to the first: `views::reverse`.
namespace tessera {

/// Element k is elements 0 to k combined, by addition unless an operator is given. Of containers: skeleton/scan.h.
template <algo::range_like V, algo::not_a_range G = plus>
requires(!algo::container_like<V>)
    [[nodiscard]] auto inclusive_scan(const V& view, const G& combine = {}, call_site here = call_site::current()) {
  return algo::scanned<algo::element_t<V>>(algo::sequence_of(view, here), combine, std::nullopt, here);
}
template <algo::range_like R, algo::output_like Out, algo::not_a_range G = plus>
void inclusive_scan(const R& range, const Out& out, const G& combine = {}, call_site here = call_site::current()) {
  algo::scan_to<algo::element_t<R>>(algo::sequence_of(range, here), out, combine, std::nullopt, here);
}
template <algo::iterator_like I, algo::not_a_range G = plus>
[[nodiscard]] auto inclusive_scan(const I& first, const I& last, const G& combine = {},
                                  call_site here = call_site::current()) {
  return inclusive_scan(algo::between(first, last, here), combine, here);
}
template <algo::iterator_like I, algo::output_like Out, algo::not_a_range G = plus>
void inclusive_scan(const I& first, const I& last, const Out& out, const G& combine = {},
                    call_site here = call_site::current()) {
  inclusive_scan(algo::range_between(first, last), out, combine, here);
}

/// Element k is `start` and elements 0 to k - 1 combined. Of containers: skeleton/scan.h.
template <algo::range_like V, algo::not_a_range G = plus>
requires(!algo::container_like<V>)
    [[nodiscard]] auto exclusive_scan(const V& view, const algo::element_t<V>& start, const G& combine = {},
                                      call_site here = call_site::current()) {
  return algo::scanned<algo::element_t<V>>(algo::sequence_of(view, here), combine, std::optional(start), here);
}
template <algo::range_like R, algo::output_like Out, algo::not_a_range G = plus>
void exclusive_scan(const R& range, const Out& out, const algo::element_t<R>& start, const G& combine = {},
                    call_site here = call_site::current()) {
  algo::scan_to<algo::element_t<R>>(algo::sequence_of(range, here), out, combine, std::optional(start), here);
}
template <algo::iterator_like I, algo::not_a_range G = plus>
[[nodiscard]] auto exclusive_scan(const I& first, const I& last, const algo::element_t<I>& start, const G& combine = {},
                                  call_site here = call_site::current()) {
  return exclusive_scan(algo::between(first, last, here), start, combine, here);
}
template <algo::iterator_like I, algo::output_like Out, algo::not_a_range G = plus>
void exclusive_scan(const I& first, const I& last, const Out& out, const algo::element_t<I>& start,
                    const G& combine = {}, call_site here = call_site::current()) {
  exclusive_scan(algo::range_between(first, last), out, start, combine, here);
}

/// Element k is `f` of elements 0 to k, combined.
template <algo::range_like R, algo::not_a_range F, algo::not_a_range G = plus>
[[nodiscard]] auto transform_inclusive_scan(const R& range, const F& f, const G& combine = {},
                                            call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  return algo::scanned<algo::call_result_t<F, T>>(algo::applied_to<T>(f, {algo::sequence_of(range, here)}, here),
                                                  combine, std::nullopt, here);
}
template <algo::range_like R, algo::output_like Out, algo::not_a_range F, algo::not_a_range G = plus>
void transform_inclusive_scan(const R& range, const Out& out, const F& f, const G& combine = {},
                              call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  algo::scan_to<algo::call_result_t<F, T>>(algo::applied_to<T>(f, {algo::sequence_of(range, here)}, here), out, combine,
                                           std::nullopt, here);
}
template <algo::iterator_like I, algo::not_a_range F, algo::not_a_range G = plus>
[[nodiscard]] auto transform_inclusive_scan(const I& first, const I& last, const F& f, const G& combine = {},
                                            call_site here = call_site::current()) {
  return transform_inclusive_scan(algo::range_between(first, last), f, combine, here);
}
template <algo::iterator_like I, algo::output_like Out, algo::not_a_range F, algo::not_a_range G = plus>
void transform_inclusive_scan(const I& first, const I& last, const Out& out, const F& f, const G& combine = {},
                              call_site here = call_site::current()) {
  transform_inclusive_scan(algo::range_between(first, last), out, f, combine, here);
}

/// Element k is `start` and `f` of elements 0 to k - 1, combined; `start` is what `f` returns.
template <algo::range_like R, algo::not_a_range F, class T, algo::not_a_range G = plus>
[[nodiscard]] auto transform_exclusive_scan(const R& range, const F& f, const T& start, const G& combine = {},
                                            call_site here = call_site::current()) {
  using E = algo::element_t<R>;
  using V = algo::call_result_t<F, E>;
  return algo::scanned<V>(algo::applied_to<E>(f, {algo::sequence_of(range, here)}, here), combine,
                          std::optional(static_cast<V>(start)), here);
}
template <algo::range_like R, algo::output_like Out, algo::not_a_range F, class T, algo::not_a_range G = plus>
void transform_exclusive_scan(const R& range, const Out& out, const F& f, const T& start, const G& combine = {},
                              call_site here = call_site::current()) {
  using E = algo::element_t<R>;
  using V = algo::call_result_t<F, E>;
  algo::scan_to<V>(algo::applied_to<E>(f, {algo::sequence_of(range, here)}, here), out, combine,
                   std::optional(static_cast<V>(start)), here);
}
template <algo::iterator_like I, algo::not_a_range F, class T, algo::not_a_range G = plus>
[[nodiscard]] auto transform_exclusive_scan(const I& first, const I& last, const F& f, const T& start,
                                            const G& combine = {}, call_site here = call_site::current()) {
  return transform_exclusive_scan(algo::range_between(first, last), f, start, combine, here);
}
template <algo::iterator_like I, algo::output_like Out, algo::not_a_range F, class T, algo::not_a_range G = plus>
void transform_exclusive_scan(const I& first, const I& last, const Out& out, const F& f, const T& start,
                              const G& combine = {}, call_site here = call_site::current()) {
  transform_exclusive_scan(algo::range_between(first, last), out, f, start, combine, here);
}

}  // namespace tessera
