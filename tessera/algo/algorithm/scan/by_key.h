#pragma once

#include <cstdint>

#include "tessera/algo/algorithm/scan/segments.h"

/// Scans of segments: neighbouring elements with equal keys. `ts::inclusive_scan_by_key(keys, values)`; an output may
/// stand behind the values, and operators behind that: one alone combines values, of two the first one says which
/// neighbouring keys are equal. Keys and values are containers, parts, views or pairs of iterators. Otherwise as the
/// scans of algorithm/scan/scans.h; a segment may lie over all devices.
namespace tessera {

/// Element k is the values of its segment up to k combined.
template <algo::range_like K, algo::range_like V, algo::output_like Out, algo::not_a_range Same, algo::not_a_range G>
void inclusive_scan_by_key(const K& keys, const V& values, const Out& out, const Same& same, const G& combine,
                           call_site here = call_site::current()) {
  const algo::sequence all = algo::sequence_of(values, here);
  const algo::sequence heads = algo::heads_of<algo::element_t<K>>(algo::sequence_of(keys, here), same, here);
  algo::inclusive_scan_within<algo::element_t<V>, algo::element_t<Out>>(heads, all, combine,
                                                                        algo::output_operand(out, {all.size}), here);
}
template <algo::range_like K, algo::range_like V, algo::output_like Out, algo::not_a_range G = plus>
void inclusive_scan_by_key(const K& keys, const V& values, const Out& out, const G& combine = {},
                           call_site here = call_site::current()) {
  inclusive_scan_by_key(keys, values, out, equal_to(), combine, here);
}
template <algo::range_like K, algo::range_like V, algo::not_a_range Same, algo::not_a_range G>
[[nodiscard]] vector<algo::element_t<V>> inclusive_scan_by_key(const K& keys, const V& values, const Same& same,
                                                               const G& combine,
                                                               call_site here = call_site::current()) {
  vector<algo::element_t<V>> out = algo::new_output<algo::element_t<V>, 1>(
      {values.size()}, algo::context_of_all({algo::sequence_of(keys, here), algo::sequence_of(values, here)}));
  inclusive_scan_by_key(keys, values, out, same, combine, here);
  return out;
}
template <algo::range_like K, algo::range_like V, algo::not_a_range G = plus>
[[nodiscard]] vector<algo::element_t<V>> inclusive_scan_by_key(const K& keys, const V& values, const G& combine = {},
                                                               call_site here = call_site::current()) {
  return inclusive_scan_by_key(keys, values, equal_to(), combine, here);
}
template <algo::iterator_like I, algo::iterator_like J, algo::output_like Out, algo::not_a_range Same,
          algo::not_a_range G>
void inclusive_scan_by_key(const I& first, const I& last, const J& values, const Out& out, const Same& same,
                           const G& combine, call_site here = call_site::current()) {
  inclusive_scan_by_key(algo::range_between(first, last), algo::range_from(values, last - first), out, same, combine,
                        here);
}
template <algo::iterator_like I, algo::iterator_like J, algo::output_like Out, algo::not_a_range G = plus>
void inclusive_scan_by_key(const I& first, const I& last, const J& values, const Out& out, const G& combine = {},
                           call_site here = call_site::current()) {
  inclusive_scan_by_key(algo::range_between(first, last), algo::range_from(values, last - first), out, combine, here);
}
template <algo::iterator_like I, algo::iterator_like J, algo::not_a_range Same, algo::not_a_range G>
[[nodiscard]] vector<algo::element_t<J>> inclusive_scan_by_key(const I& first, const I& last, const J& values,
                                                               const Same& same, const G& combine,
                                                               call_site here = call_site::current()) {
  return inclusive_scan_by_key(algo::range_between(first, last), algo::range_from(values, last - first), same, combine,
                               here);
}
template <algo::iterator_like I, algo::iterator_like J, algo::not_a_range G = plus>
[[nodiscard]] vector<algo::element_t<J>> inclusive_scan_by_key(const I& first, const I& last, const J& values,
                                                               const G& combine = {},
                                                               call_site here = call_site::current()) {
  return inclusive_scan_by_key(algo::range_between(first, last), algo::range_from(values, last - first), combine, here);
}

/// Element k is `start` and the values of its segment before k combined.
template <algo::range_like K, algo::range_like V, algo::output_like Out, algo::not_a_range Same, algo::not_a_range G>
void exclusive_scan_by_key(const K& keys, const V& values, const Out& out, const algo::element_t<V>& start,
                           const Same& same, const G& combine, call_site here = call_site::current()) {
  const algo::sequence all = algo::sequence_of(values, here);
  const algo::sequence heads = algo::heads_of<algo::element_t<K>>(algo::sequence_of(keys, here), same, here);
  algo::exclusive_scan_within<algo::element_t<V>, algo::element_t<Out>>(heads, all, start, combine,
                                                                        algo::output_operand(out, {all.size}), here);
}
template <algo::range_like K, algo::range_like V, algo::output_like Out, algo::not_a_range G = plus>
void exclusive_scan_by_key(const K& keys, const V& values, const Out& out, const algo::element_t<V>& start,
                           const G& combine = {}, call_site here = call_site::current()) {
  exclusive_scan_by_key(keys, values, out, start, equal_to(), combine, here);
}
template <algo::range_like K, algo::range_like V, algo::not_a_range Same, algo::not_a_range G>
[[nodiscard]] vector<algo::element_t<V>> exclusive_scan_by_key(const K& keys, const V& values,
                                                               const algo::element_t<V>& start, const Same& same,
                                                               const G& combine,
                                                               call_site here = call_site::current()) {
  vector<algo::element_t<V>> out = algo::new_output<algo::element_t<V>, 1>(
      {values.size()}, algo::context_of_all({algo::sequence_of(keys, here), algo::sequence_of(values, here)}));
  exclusive_scan_by_key(keys, values, out, start, same, combine, here);
  return out;
}
template <algo::range_like K, algo::range_like V, algo::not_a_range G = plus>
[[nodiscard]] vector<algo::element_t<V>> exclusive_scan_by_key(const K& keys, const V& values,
                                                               const algo::element_t<V>& start, const G& combine = {},
                                                               call_site here = call_site::current()) {
  return exclusive_scan_by_key(keys, values, start, equal_to(), combine, here);
}
template <algo::iterator_like I, algo::iterator_like J, algo::output_like Out, algo::not_a_range Same,
          algo::not_a_range G>
void exclusive_scan_by_key(const I& first, const I& last, const J& values, const Out& out,
                           const algo::element_t<J>& start, const Same& same, const G& combine,
                           call_site here = call_site::current()) {
  exclusive_scan_by_key(algo::range_between(first, last), algo::range_from(values, last - first), out, start, same,
                        combine, here);
}
template <algo::iterator_like I, algo::iterator_like J, algo::output_like Out, algo::not_a_range G = plus>
void exclusive_scan_by_key(const I& first, const I& last, const J& values, const Out& out,
                           const algo::element_t<J>& start, const G& combine = {},
                           call_site here = call_site::current()) {
  exclusive_scan_by_key(algo::range_between(first, last), algo::range_from(values, last - first), out, start, combine,
                        here);
}
template <algo::iterator_like I, algo::iterator_like J, algo::not_a_range Same, algo::not_a_range G>
[[nodiscard]] vector<algo::element_t<J>> exclusive_scan_by_key(const I& first, const I& last, const J& values,
                                                               const algo::element_t<J>& start, const Same& same,
                                                               const G& combine,
                                                               call_site here = call_site::current()) {
  return exclusive_scan_by_key(algo::range_between(first, last), algo::range_from(values, last - first), start, same,
                               combine, here);
}
template <algo::iterator_like I, algo::iterator_like J, algo::not_a_range G = plus>
[[nodiscard]] vector<algo::element_t<J>> exclusive_scan_by_key(const I& first, const I& last, const J& values,
                                                               const algo::element_t<J>& start, const G& combine = {},
                                                               call_site here = call_site::current()) {
  return exclusive_scan_by_key(algo::range_between(first, last), algo::range_from(values, last - first), start, combine,
                               here);
}

}  // namespace tessera
