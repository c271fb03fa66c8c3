#pragma once

#include <cstdint>

#include "tessera/algo/algorithm/kept.h"
#include "tessera/algo/algorithm/reduced.h"

/// Runs of elements that a function holds for, one and the next: `equal_to` unless another one is given. Of each run
/// the first element is kept, as algorithm/compact.h says.
namespace tessera {
namespace algo {

/// Whether each element is the first of its run.
template <class T, class Same>
[[nodiscard]] sequence run_begins(const sequence& all, const Same& same, call_site here) {
  const sequence before = shifted(all, -1), at = places(all.size, here);
  if constexpr (is_host_callable<Same>) {
    const sequence equal = applied_to<T, T>(same, {before, all}, here);
    return applied_by<bool, call_result_t<Same, T, T>, std::int64_t>("tessera::algo::begins_where", {}, {equal, at},
                                                                     here);
  } else {
    return applied(wrapped("tessera::algo::begins_run", {make_op<T, T>(same, here)}, {},
                           signature_for<bool, T, T, std::int64_t>(), here),
                   {before, all, at}, here);
  }
}
template <class T, class Same>
[[nodiscard]] emission first_of_runs(const char* algorithm, const sequence& all, const Same& same, call_site here) {
  return emission(algorithm, run_begins<T>(all, same, here), true, here);
}

}  // namespace algo

/// The first element of each run.
template <algo::range_like R, class Same = equal_to>
requires(!algo::output_like<Same>)
    [[nodiscard]] auto unique_copy(const R& range, const Same& same = {}, call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  const auto from = algo::elements_in(range, here);
  return algo::kept_of(algo::first_of_runs<T>("unique_copy", from.all[0], same, here), from);
}
template <algo::range_like R, algo::output_like Out, class Same = equal_to>
auto unique_copy(const R& range, const Out& out, const Same& same = {}, call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  const algo::sequence all = algo::sequence_of(range, here);
  return algo::write_kept<T>(algo::first_of_runs<T>("unique_copy", all, same, here), all, out, here);
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
  return algo::keep_only(algo::first_of_runs<T>("unique", algo::sequence_of(v, here), same, here), v, here);
}
template <algo::iterator_like I, class Same = equal_to>
I unique(const I& first, const I& last, const Same& same = {}, call_site here = call_site::current()) {
  using T = algo::element_t<I>;
  const auto all = algo::elements_in(algo::between(first, last, here), here);
  return first + algo::keep_in_place(algo::first_of_runs<T>("unique", all.all[0], same, here), all,
                                     algo::operand_of(first, last), here);
}

/// How many runs there are; returns at once.
template <algo::range_like R, class Same = equal_to>
[[nodiscard]] value<std::int64_t> unique_count(const R& range, const Same& same = {},
                                               call_site here = call_site::current()) {
  const algo::sequence begins = algo::run_begins<algo::element_t<R>>(algo::sequence_of(range, here), same, here);
  return algo::reduced<std::int64_t>(algo::applied_by<std::int64_t, bool>("tessera::algo::truth", {}, {begins}, here),
                                     plus(), here);
}
template <algo::iterator_like I, class Same = equal_to>
[[nodiscard]] value<std::int64_t> unique_count(const I& first, const I& last, const Same& same = {},
                                               call_site here = call_site::current()) {
  return unique_count(algo::between(first, last, here), same, here);
}

}  // namespace tessera
