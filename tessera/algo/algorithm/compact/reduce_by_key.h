#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tessera/algo/algorithm/compact/unique.h"
#include "tessera/algo/exec/emit/reduced_segments.h"

/// Results of segments: neighbouring elements with equal keys. `ts::reduce_by_key(keys, values)`; two outputs may stand
/// behind the values, and operators behind those: one alone combines values, of two the first one says which
/// neighbouring keys are equal. Values are combined in order, by operators that are associative; results have the same
/// bits on any devices and ranks. Without outputs pairs of new vectors are returned, otherwise a pair of what
/// algorithm/compact/compact.h says for each of them. Calls wait until it is known how many segments there are.
namespace tessera {
namespace algo {

/// A flag of type bool for each key of type K: true for the last one of neighbours that `same` holds for.
template <class K, class Same>
[[nodiscard]] sequence ends_of(const sequence& keys, const Same& same, call_site here) {
  const std::int64_t n = keys.size;
  if (n < 2) return sequence_of(views::constant(true, n, here), here);
  const sequence behind = reversed(places(n, here));
  if constexpr (is_host_callable<Same>) {
    using B = call_result_t<Same, K, K>;
    sequence like = shifted(applied_to<K, K>(same, {part_of(keys, 0, n - 1), part_of(keys, 1, n)}, here), 0);
    like.size = like.given[0].count = n;  // the last one, which has no next, is not looked at
    return applied_by<bool, B, std::int64_t>("tessera::algo::unlike_next", {}, {like, behind}, here);
  } else {
    const op end = wrapped("tessera::algo::is_end", {make_op<K, K>(same, here)}, {},
                           signature_for<bool, K, K, std::int64_t>(), here);
    return applied(end, {keys, shifted(keys, 1), behind}, here);
  }
}

/// The running combination of values within the segments of keys, in a new container.
template <class K, class V, class Same, class G>
[[nodiscard]] sequence running_within(const sequence& keys, const sequence& values, const Same& same, const G& combine,
                                      call_site here) {
  const operand running = make_temporary(context_of_all({keys, values}), {values.size}, dtype_of<V>());
  if (values.size > 0) inclusive_scan_within<V, V>(heads_of<K>(keys, same, here), values, combine, running, here);
  return sequence_of_elements(running, type_name<V>(), here);
}

/// How far it is from each of `heads`, places below `size`, to the next one, and from the last one to `size`.
[[nodiscard]] inline sequence lengths_between(const operand& heads, std::int64_t size, call_site here) {
  using place = std::int64_t;
  const sequence own = sequence_of_elements(heads, type_name<place>(), here);
  return applied_by<place, place, place, place, place>(
      "tessera::algo::distance_to_next", {},
      {own, shifted(own, 1), reversed(places(own.size, here)), views::constant(size, own.size, here).elements()}, here);
}

/// True if all keys of a segment have the same bits, so that its last one stands for the first.
template <class K, class Same>
inline constexpr bool keys_are_alike =
    std::is_integral_v<K>&& std::is_same_v<library_operator_t<Same>, tessera::equal_to>;

/// The values of the segments of keys, for operators that run on the devices.
template <class K, class V, class Same, class G>
[[nodiscard]] segment_values values_of_segments(const sequence& keys, const sequence& values, const Same& same,
                                                const G& combine, call_site here) {
  using pair = headed<V>;
  check_associative<V>("reduce_by_key", values, combine, here);
  const sequence heads = heads_of<K>(keys, same, here);
  return {heads,
          values,
          make_op<V, V>(combine, here),
          type_name<V>(),
          dtype_of<V>(),
          applied_by<pair, bool, V>("tessera::algo::make_headed", {}, {heads, values}, here),
          combined_within_segments<V>(combine, here),
          type_name<pair>(),
          dtype_of<pair>()};
}

/// Writes a key of type K and a combined value of type V for each segment; `ends` keeps the last elements of them.
template <class K, class V, class Same, class G, class A, class B>
void write_segments(const emission& ends, const sequence& keys, const sequence& values, const A& keys_out,
                    const B& values_out, const operand& first, const operand& second, const Same& same,
                    const G& combine, call_site here) {
  std::vector<sequence> beside{as_elements_of<K>(keys_out, keys, here)};
  std::vector<operand> to{first};
  if constexpr (!keys_are_alike<K, Same>) {
    heads_kept<K>(ends.algorithm(), keys, same, ends.ctx(), here).write(beside, to);
    beside.clear(), to.clear();
  }
  if constexpr (is_host_callable<G>) {
    beside.push_back(as_elements_of<V>(values_out, running_within<K, V>(keys, values, same, combine, here), here));
    to.push_back(second);
    ends.write(beside, to);
  } else {
    write_reduced(ends, values_of_segments<K, V>(keys, values, same, combine, here), second, type_name<element_t<B>>(),
                  beside, to);
  }
}

}  // namespace algo

/// The first key of each segment, and its values combined, by addition unless an operator is given.
template <algo::range_like K, algo::range_like V, algo::output_like A, algo::output_like B, algo::not_a_range Same,
          algo::not_a_range G>
auto reduce_by_key(const K& keys, const V& values, const A& keys_out, const B& values_out, const Same& same,
                   const G& combine, call_site here = call_site::current()) {
  using T = algo::element_t<K>;
  const context ctx = algo::context_of_output(keys_out);
  const algo::sequence all = algo::used_in(ctx, algo::sequence_of(keys, here));
  const algo::sequence of_keys = algo::used_in(ctx, algo::sequence_of(values, here));
  const algo::emission ends("reduce_by_key", algo::ends_of<T>(all, same, here), true, ctx, here);
  const std::vector<algo::operand> to = algo::beginnings_of(ends, {all, of_keys}, keys_out, values_out);
  algo::require_apart(ends, to[0], to[1], here);
  algo::write_segments<T, algo::element_t<V>>(ends, all, of_keys, keys_out, values_out, to[0], to[1], same, combine,
                                              here);
  return std::pair(algo::behind(keys_out, ends.count()), algo::behind(values_out, ends.count()));
}
template <algo::range_like K, algo::range_like V, algo::output_like A, algo::output_like B, algo::not_a_range G = plus>
auto reduce_by_key(const K& keys, const V& values, const A& keys_out, const B& values_out, const G& combine = {},
                   call_site here = call_site::current()) {
  return reduce_by_key(keys, values, keys_out, values_out, equal_to(), combine, here);
}
template <algo::range_like K, algo::range_like V, algo::not_a_range Same, algo::not_a_range G>
[[nodiscard]] std::pair<vector<algo::element_t<K>>, vector<algo::element_t<V>>> reduce_by_key(
    const K& keys, const V& values, const Same& same, const G& combine, call_site here = call_site::current()) {
  using T = algo::element_t<K>;
  using U = algo::element_t<V>;
  const context ctx = algo::context_of_all({algo::sequence_of(keys, here), algo::sequence_of(values, here)});
  const algo::sequence all = algo::used_in(ctx, algo::sequence_of(keys, here));
  const algo::sequence of_keys = algo::used_in(ctx, algo::sequence_of(values, here));
  const algo::emission ends("reduce_by_key", algo::ends_of<T>(all, same, here), true, ctx, here);
  const std::vector<algo::operand> to = ends.rooms({dtype_of<T>(), dtype_of<U>()}, {all, of_keys});
  std::pair made(vector<T>(to[0].elements), vector<U>(to[1].elements));
  algo::write_segments<T, U>(ends, all, of_keys, made.first, made.second, to[0], to[1], same, combine, here);
  return made;
}
template <algo::range_like K, algo::range_like V, algo::not_a_range G = plus>
[[nodiscard]] auto reduce_by_key(const K& keys, const V& values, const G& combine = {},
                                 call_site here = call_site::current()) {
  return reduce_by_key(keys, values, equal_to(), combine, here);
}
template <algo::iterator_like I, algo::iterator_like J, algo::output_like A, algo::output_like B,
          algo::not_a_range Same, algo::not_a_range G>
auto reduce_by_key(const I& first, const I& last, const J& values, const A& keys_out, const B& values_out,
                   const Same& same, const G& combine, call_site here = call_site::current()) {
  return reduce_by_key(algo::between(first, last, here), algo::range_from(values, last - first), keys_out, values_out,
                       same, combine, here);
}
template <algo::iterator_like I, algo::iterator_like J, algo::output_like A, algo::output_like B,
          algo::not_a_range G = plus>
auto reduce_by_key(const I& first, const I& last, const J& values, const A& keys_out, const B& values_out,
                   const G& combine = {}, call_site here = call_site::current()) {
  return reduce_by_key(first, last, values, keys_out, values_out, equal_to(), combine, here);
}

/// The first element of each segment and how many elements the segment has.
template <algo::range_like R, algo::output_like A, algo::output_like B, algo::not_a_range Same = equal_to>
auto run_length_encode(const R& range, const A& values_out, const B& lengths_out, const Same& same = {},
                       call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  const algo::sequence all = algo::sequence_of(range, here);
  const algo::emission heads =
      algo::heads_kept<T>("run_length_encode", all, same, algo::context_of_output(values_out), here);
  const algo::operand first = heads.beginning_of(algo::elements_to_write(values_out)),
                      second = heads.beginning_of(algo::elements_to_write(lengths_out));
  algo::require_apart(heads, first, second, here);
  const algo::operand at = heads.rooms({dtype_of<std::int64_t>()}, {all})[0];
  heads.write({algo::as_elements_of<T>(values_out, all, here), algo::places(all.size, here)}, {first, at});
  algo::store(algo::as_elements_of<std::int64_t>(lengths_out, algo::lengths_between(at, all.size, here), here), second);
  return std::pair(algo::behind(values_out, heads.count()), algo::behind(lengths_out, heads.count()));
}
template <algo::range_like R, algo::not_a_range Same = equal_to>
[[nodiscard]] std::pair<vector<algo::element_t<R>>, vector<std::int64_t>> run_length_encode(
    const R& range, const Same& same = {}, call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  const algo::sequence all = algo::sequence_of(range, here);
  const algo::emission heads = algo::heads_kept<T>("run_length_encode", all, same, all.ctx(), here);
  static_cast<void>(heads.size());  // waits: lengths are those of the segments that there are
  const dtype place = dtype_of<std::int64_t>();
  const std::vector<algo::operand> to = heads.rooms({dtype_of<T>(), place, place}, {all});
  heads.write({all, algo::places(all.size, here)}, {to[0], to[1]});
  algo::store(algo::lengths_between(to[1], all.size, here), to[2]);
  return {vector<T>(to[0].elements), vector<std::int64_t>(to[2].elements)};
}
template <algo::iterator_like I, algo::output_like A, algo::output_like B, algo::not_a_range Same = equal_to>
auto run_length_encode(const I& first, const I& last, const A& values_out, const B& lengths_out, const Same& same = {},
                       call_site here = call_site::current()) {
  return run_length_encode(algo::between(first, last, here), values_out, lengths_out, same, here);
}

}  // namespace tessera
