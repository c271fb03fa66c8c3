#pragma once

#include <cstdint>

#include "tessera/algo/algorithm/kept.h"
#include "tessera/algo/algorithm/reduced.h"
#include "tessera/algo/algorithm/segments.h"

/// Segments of elements that a function holds for, one and the next: `equal_to` unless another one is given. Of each
/// segment the first element is kept, as algorithm/compact.h says.
namespace tessera {
namespace algo {

template <class T, class Same>
[[nodiscard]] emission heads_kept(const char* algorithm, const sequence& all, const Same& same, call_site here) {
  return emission(algorithm, heads_of<T>(all, same, here), true, here);
}

}  // namespace algo

/// The first element of each segment.
template <algo::range_like R, class Same = equal_to>
requires(!algo::output_like<Same>)
    [[nodiscard]] auto unique_copy(const R& range, const Same& same = {}, call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  const auto from = algo::elements_in(range, here);
  return algo::kept_of(algo::heads_kept<T>("unique_copy", from.all[0], same, here), from);
}
template <algo::range_like R, algo::output_like Out, class Same = equal_to>
auto unique_copy(const R& range, const Out& out, const Same& same = {}, call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  const algo::sequence all = algo::sequence_of(range, here);
  return algo::write_kept<T>(algo::heads_kept<T>("unique_copy", all, same, here), all, out, here);
}
template <algo::iterator_like I, algo::output_like Out, class Same = equal_to>
auto unique_copy(const I& first, const I& last, const Out& out, const Same& same = {},
                 call_site here = call_site::current()) {
  return unique_copy(algo::between(first, last, here), out, same, here);
}

/// Without the others. Of a vector, returns how many went; of a pair of iterators, the end of those that stay, which
/// stand at its beginning.
template <class T, class Same = equal_to>
std::int64_t unique(vector<T>& v, const Same& same = {}, call_site here = call_site::current()) {
  return algo::keep_only(algo::heads_kept<T>("unique", algo::sequence_of(v, here), same, here), v, here);
}
template <algo::iterator_like I, class Same = equal_to>
I unique(const I& first, const I& last, const Same& same = {}, call_site here = call_site::current()) {
  using T = algo::element_t<I>;
  const auto all = algo::elements_in(algo::between(first, last, here), here);
  return first + algo::keep_in_place(algo::heads_kept<T>("unique", all.all[0], same, here), all,
                                     algo::operand_of(first, last), here);
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
