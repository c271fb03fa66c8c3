#pragma once

#include <cstdint>
#include <utility>

#include "tessera/algo/algorithm/reduced.h"
#include "tessera/algo/view/views.h"

/// Questions about ranges: where the first element is that a predicate holds for, whether ranges are equal, sorted or
/// partitioned. All elements are looked at, the first place is found by a reduction, and the calls wait for the answer.
/// Containers, parts and views give places, counted from 0, and the size where there is none; pairs of iterators give
/// iterators.
namespace tessera {

template <algo::range_like R, class Predicate>
[[nodiscard]] std::int64_t find_if(const R& range, const Predicate& holds, call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  return algo::first_place_where(algo::applied_to<T>(holds, {algo::sequence_of(range, here)}, here), true, here);
}
template <algo::range_like R, class Predicate>
[[nodiscard]] std::int64_t find_if_not(const R& range, const Predicate& holds, call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  return algo::first_place_where(algo::applied_to<T>(holds, {algo::sequence_of(range, here)}, here), false, here);
}
template <algo::range_like R>
[[nodiscard]] std::int64_t find(const R& range, const algo::element_t<R>& wanted,
                                call_site here = call_site::current()) {
  const auto same = views::constant(wanted, range.size(), here);
  return find_if(views::zip(range, same) | views::transform(equal_to(), here), identity(), here);
}
template <algo::iterator_like I, class Predicate>
[[nodiscard]] I find_if(const I& first, const I& last, const Predicate& holds, call_site here = call_site::current()) {
  return first + find_if(algo::range_between(first, last), holds, here);
}
template <algo::iterator_like I, class Predicate>
[[nodiscard]] I find_if_not(const I& first, const I& last, const Predicate& holds,
                            call_site here = call_site::current()) {
  return first + find_if_not(algo::range_between(first, last), holds, here);
}
template <algo::iterator_like I>
[[nodiscard]] I find(const I& first, const I& last, const algo::element_t<I>& wanted,
                     call_site here = call_site::current()) {
  return first + find(algo::range_between(first, last), wanted, here);
}

template <algo::range_like R, class Predicate>
[[nodiscard]] bool all_of(const R& range, const Predicate& holds, call_site here = call_site::current()) {
  return find_if_not(range, holds, here) == range.size();
}
template <algo::range_like R, class Predicate>
[[nodiscard]] bool any_of(const R& range, const Predicate& holds, call_site here = call_site::current()) {
  return find_if(range, holds, here) < range.size();
}
template <algo::range_like R, class Predicate>
[[nodiscard]] bool none_of(const R& range, const Predicate& holds, call_site here = call_site::current()) {
  return !any_of(range, holds, here);
}
template <algo::iterator_like I, class Predicate>
[[nodiscard]] bool all_of(const I& first, const I& last, const Predicate& holds,
                          call_site here = call_site::current()) {
  return all_of(algo::range_between(first, last), holds, here);
}
template <algo::iterator_like I, class Predicate>
[[nodiscard]] bool any_of(const I& first, const I& last, const Predicate& holds,
                          call_site here = call_site::current()) {
  return any_of(algo::range_between(first, last), holds, here);
}
template <algo::iterator_like I, class Predicate>
[[nodiscard]] bool none_of(const I& first, const I& last, const Predicate& holds,
                           call_site here = call_site::current()) {
  return none_of(algo::range_between(first, last), holds, here);
}

/// The first place where two ranges of one size differ.
template <algo::range_like R, algo::range_like S, class Same = equal_to>
[[nodiscard]] std::int64_t mismatch(const R& x, const S& y, const Same& same = {},
                                    call_site here = call_site::current()) {
  return find_if_not(views::zip(x, y) | views::transform(same, here), identity(), here);
}
template <algo::iterator_like I, algo::iterator_like J, class Same = equal_to>
[[nodiscard]] std::pair<I, J> mismatch(const I& first, const I& last, const J& other, const Same& same = {},
                                       call_site here = call_site::current()) {
  const std::int64_t place =
      mismatch(algo::range_between(first, last), algo::range_from(other, last - first), same, here);
  return {first + place, other + place};
}
/// True if two ranges have one size and equal elements.
template <algo::range_like R, algo::range_like S, class Same = equal_to>
[[nodiscard]] bool equal(const R& x, const S& y, const Same& same = {}, call_site here = call_site::current()) {
  return x.size() == y.size() && mismatch(x, y, same, here) == x.size();
}
template <algo::iterator_like I, algo::iterator_like J, class Same = equal_to>
[[nodiscard]] bool equal(const I& first, const I& last, const J& other, const Same& same = {},
                         call_site here = call_site::current()) {
  return equal(algo::range_between(first, last), algo::range_from(other, last - first), same, here);
}

namespace algo {

/// The first place whose element and the next one `breaks` holds for; one less than the size if there is none.
template <class T, class Breaks>
[[nodiscard]] std::int64_t first_break(const sequence& all, const Breaks& breaks, call_site here) {
  const std::int64_t pairs = all.size > 0 ? all.size - 1 : 0;
  if (pairs == 0) return 0;
  return first_place_where(applied_to<T, T>(breaks, {part_of(all, 1, all.size), part_of(all, 0, pairs)}, here), true,
                           here);
}

}  // namespace algo

/// Where the longest sorted run from the first element on ends.
template <algo::range_like R, class Before = less>
[[nodiscard]] std::int64_t is_sorted_until(const R& range, const Before& before = {},
                                           call_site here = call_site::current()) {
  const std::int64_t n = range.size();
  return n == 0 ? 0 : algo::first_break<algo::element_t<R>>(algo::sequence_of(range, here), before, here) + 1;
}
template <algo::range_like R, class Before = less>
[[nodiscard]] bool is_sorted(const R& range, const Before& before = {}, call_site here = call_site::current()) {
  return is_sorted_until(range, before, here) == range.size();
}
template <algo::iterator_like I, class Before = less>
[[nodiscard]] I is_sorted_until(const I& first, const I& last, const Before& before = {},
                                call_site here = call_site::current()) {
  return first + is_sorted_until(algo::range_between(first, last), before, here);
}
template <algo::iterator_like I, class Before = less>
[[nodiscard]] bool is_sorted(const I& first, const I& last, const Before& before = {},
                             call_site here = call_site::current()) {
  return is_sorted(algo::range_between(first, last), before, here);
}

/// Where the elements that `holds` for end, in a range in which they come first.
template <algo::range_like R, class Predicate>
[[nodiscard]] std::int64_t partition_point(const R& range, const Predicate& holds,
                                           call_site here = call_site::current()) {
  return find_if_not(range, holds, here);
}
template <algo::range_like R, class Predicate>
[[nodiscard]] bool is_partitioned(const R& range, const Predicate& holds, call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  using B = algo::call_result_t<Predicate, T>;
  const algo::sequence flags = algo::applied_to<T>(holds, {algo::sequence_of(range, here)}, here);
  return flags.size == 0 || algo::first_break<B>(flags, greater(), here) + 1 == flags.size;
}
template <algo::iterator_like I, class Predicate>
[[nodiscard]] I partition_point(const I& first, const I& last, const Predicate& holds,
                                call_site here = call_site::current()) {
  return first + partition_point(algo::range_between(first, last), holds, here);
}
template <algo::iterator_like I, class Predicate>
[[nodiscard]] bool is_partitioned(const I& first, const I& last, const Predicate& holds,
                                  call_site here = call_site::current()) {
  return is_partitioned(algo::range_between(first, last), holds, here);
}

}  // namespace tessera
