#pragma once

#include <cstdint>
#include <utility>

#include "tessera/algo/algorithm/compact/kept.h"
#include "tessera/algo/algorithm/reduced.h"
#include "tessera/algo/algorithm/scan/segments.h"

/// Segments of elements that a function holds for, one and the next: `equal_to` unless another one is given. Of each
/// segment the first element is kept, as algorithm/compact/compact.h says.
namespace tessera {
namespace algo {

template <class T, class Same>
[[nodiscard]] emission heads_kept(const char* algorithm, const sequence& all, const Same& same, const context& ctx,
                                  call_site here) {
  return emission(algorithm, heads_of<T>(all, same, here), true, ctx, here);
}

}  // namespace algo

/// The first element of each segment.
template <algo::range_like R, class Same = equal_to>
requires(!algo::output_like<Same>)
    [[nodiscard]] auto unique_copy(const R& range, const Same& same = {}, call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  const auto from = algo::elements_in(range, here);
  return algo::kept_of(algo::heads_kept<T>("unique_copy", from.all[0], same, from.ctx(), here), from);
}
template <algo::range_like R, algo::output_like Out, class Same = equal_to>
auto unique_copy(const R& range, const Out& out, const Same& same = {}, call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  const algo::sequence all = algo::sequence_of(range, here);
  return algo::write_kept<T>(algo::heads_kept<T>("unique_copy", all, same, algo::context_of_output(out), here), all,
                             out, here);
}
template <algo::iterator_like I, algo::output_like Out, class Same = equal_to>
auto unique_copy(const I& first, const I& last, const Out& out, const Same& same = {},
                 call_site here = call_site::current()) {
  return unique_copy(algo::between(first, last, here), out, same, here);
}

/// Without the others. Of a vector, returns how many went; of a pair of iterators, the end of those that stay, which
/// stand at its beginning.
template <class T, class Same = equal_to>
counted_size unique(vector<T>& v, const Same& same = {}, call_site here = call_site::current()) {
  return algo::keep_only(algo::heads_kept<T>("unique", algo::sequence_of(v, here), same, v.ctx(), here), v, here);
}
template <algo::iterator_like I, class Same = equal_to>
I unique(const I& first, const I& last, const Same& same = {}, call_site here = call_site::current()) {
  using T = algo::element_t<I>;
  const auto all = algo::elements_in(algo::between(first, last, here), here);
  return first + algo::keep_in_place(algo::heads_kept<T>("unique", all.all[0], same, first.elements()->ctx(), here),
                                     all, algo::operand_of(first, last), here);
}

/// The first key of each segment of keys, and the value beside it.
template <algo::range_like K, algo::range_like V, algo::not_a_range Same = equal_to>
[[nodiscard]] std::pair<vector<algo::element_t<K>>, vector<algo::element_t<V>>> unique_by_key_copy(
    const K& keys, const V& values, const Same& same = {}, call_site here = call_site::current()) {
  using T = algo::element_t<K>;
  using U = algo::element_t<V>;
  const algo::sequence all = algo::sequence_of(keys, here);
  const algo::emission kept = algo::heads_kept<T>("unique_by_key_copy", all, same,
                                                  algo::context_of_all({all, algo::sequence_of(values, here)}), here);
  auto [first, second] = algo::kept_of(kept, algo::elements_of<T, U>{{all, algo::sequence_of(values, here)}});
  return {std::move(first), std::move(second)};
}
template <algo::range_like K, algo::range_like V, algo::output_like A, algo::output_like B,
          algo::not_a_range Same = equal_to>
auto unique_by_key_copy(const K& keys, const V& values, const A& keys_out, const B& values_out, const Same& same = {},
                        call_site here = call_site::current()) {
  using T = algo::element_t<K>;
  const algo::sequence all = algo::sequence_of(keys, here);
  const algo::emission kept =
      algo::heads_kept<T>("unique_by_key_copy", all, same, algo::context_of_output(keys_out), here);
  const std::vector<algo::sequence> both{
      algo::as_elements_of<T>(keys_out, all, here),
      algo::as_elements_of<algo::element_t<V>>(values_out, algo::sequence_of(values, here), here)};
  kept.write(both, algo::beginnings_of(kept, both, keys_out, values_out));
  return std::pair(algo::behind(keys_out, kept.count()), algo::behind(values_out, kept.count()));
}
template <algo::iterator_like I, algo::iterator_like J, algo::output_like A, algo::output_like B,
          algo::not_a_range Same = equal_to>
auto unique_by_key_copy(const I& first, const I& last, const J& values, const A& keys_out, const B& values_out,
                        const Same& same = {}, call_site here = call_site::current()) {
  return unique_by_key_copy(algo::between(first, last, here), algo::range_from(values, last - first), keys_out,
                            values_out, same, here);
}

/// Without the others, in keys and values. Of vectors, returns how many went of each; of iterators, the ends of those
/// that stay.
template <class K, class V, algo::not_a_range Same = equal_to>
counted_size unique_by_key(vector<K>& keys, vector<V>& values, const Same& same = {},
                           call_site here = call_site::current()) {
  const algo::emission kept =
      algo::heads_kept<K>("unique_by_key", algo::sequence_of(keys, here), same, keys.ctx(), here);
  algo::keep_only(kept, values, here);
  return algo::keep_only(kept, keys, here);
}
template <algo::iterator_like I, algo::iterator_like J, algo::not_a_range Same = equal_to>
std::pair<I, J> unique_by_key(const I& first, const I& last, const J& values, const Same& same = {},
                              call_site here = call_site::current()) {
  const auto keys = algo::elements_in(algo::between(first, last, here), here);
  const auto rest = algo::elements_in(algo::range_from(values, last - first), here);
  const algo::emission kept =
      algo::heads_kept<algo::element_t<I>>("unique_by_key", keys.all[0], same, first.elements()->ctx(), here);
  algo::keep_in_place(kept, rest, algo::operand_of(values, values + (last - first)), here);
  return {first + algo::keep_in_place(kept, keys, algo::operand_of(first, last), here), values + kept.size()};
}

/// How many segments there are; returns at once.
template <algo::range_like R, class Same = equal_to>
[[nodiscard]] value<std::int64_t> unique_count(const R& range, const Same& same = {},
                                               call_site here = call_site::current()) {
  const algo::sequence heads = algo::heads_of<algo::element_t<R>>(algo::sequence_of(range, here), same, here);
  return algo::reduced<std::int64_t>(algo::applied_by<std::int64_t, bool>("tessera::algo::truth", {}, {heads}, here),
                                     plus(), here);
}
template <algo::iterator_like I, class Same = equal_to>
[[nodiscard]] value<std::int64_t> unique_count(const I& first, const I& last, const Same& same = {},
                                               call_site here = call_site::current()) {
  return unique_count(algo::between(first, last, here), same, here);
}

}  // namespace tessera
