#pragma once

#include <cstdint>
#include <utility>

#include "tessera/algo/algorithm/compact/kept.h"

/// Algorithms that part the elements that a predicate holds for from the others, both in order: every partition is
/// stable. They count once, and write what holds and what does not with one launch each; outputs, results and waits are
/// as algorithm/compact/compact.h says. A partition in place waits for its border.
namespace tessera {
namespace algo {

/// Puts what is kept first and the others behind it, in place.
template <class T>
std::int64_t part_in_place(const emission& kept, const elements_of<T>& all, const operand& range, call_site here) {
  const emission others = kept.complement();
  const std::int64_t begin = range.part.lo[0] + kept.size();  // waits: the border is the result
  const std::vector<operand> first = kept.rooms({dtype_of<T>()}, all.all),
                             second = others.rooms({dtype_of<T>()}, all.all);
  kept.write(all.all, first);
  others.write(all.all, second);
  copy_back<T>(first[0], kept.beginning_of(range), here);
  copy_back<T>(second[0], {range.elements, box({begin}, {begin + others.size()})}, here);
  return kept.size();
}
template <class T, output_like A, output_like B>
auto write_parts(const emission& kept, const sequence& values, const A& holding, const B& others, call_site here) {
  const emission rest = kept.complement();
  // Outputs of one container share elements or not depending on how many these are.
  if (elements_to_write(holding).elements == elements_to_write(others).elements)
    require_apart(kept, kept.beginning_of(elements_to_write(holding)), rest.beginning_of(elements_to_write(others)),
                  here);
  return std::pair(write_kept<T>(kept, values, holding, here), write_kept<T>(rest, values, others, here));
}

}  // namespace algo

/// What `holds` for, and the others, in two new vectors.
template <class R, class Predicate>
requires(algo::range_like<R> || algo::is_zipped<R>)
    [[nodiscard]] auto partition_copy(const R& range, const Predicate& holds, call_site here = call_site::current()) {
  const auto from = algo::elements_in(range, here);
  const algo::emission kept = algo::kept_if("partition_copy", from, holds, true, from.ctx(), here);
  return std::pair(algo::kept_of(kept, from), algo::kept_of(kept.complement(), from));
}
/// Into two outputs; returns what `copy_if` would for each of them.
template <algo::range_like R, algo::output_like A, algo::output_like B, class Predicate>
auto partition_copy(const R& range, const A& holding, const B& others, const Predicate& holds,
                    call_site here = call_site::current()) {
  const auto from = algo::elements_in(range, here);
  return algo::write_parts<algo::element_t<R>>(
      algo::kept_if("partition_copy", from, holds, true, algo::context_of_output(holding), here), from.all[0], holding,
      others, here);
}
template <algo::iterator_like I, algo::output_like A, algo::output_like B, class Predicate>
auto partition_copy(const I& first, const I& last, const A& holding, const B& others, const Predicate& holds,
                    call_site here = call_site::current()) {
  return partition_copy(algo::between(first, last, here), holding, others, holds, here);
}
/// x[i] by whether holds(stencil[i]).
template <algo::range_like R, algo::range_like S, algo::output_like A, algo::output_like B, class Predicate>
auto partition_copy(const R& range, const S& stencil, const A& holding, const B& others, const Predicate& holds,
                    call_site here = call_site::current()) {
  return algo::write_parts<algo::element_t<R>>(algo::kept_if("partition_copy", algo::elements_in(stencil, here), holds,
                                                             true, algo::context_of_output(holding), here),
                                               algo::sequence_of(range, here), holding, others, here);
}
template <algo::iterator_like I, algo::iterator_like S, algo::output_like A, algo::output_like B, class Predicate>
auto partition_copy(const I& first, const I& last, const S& stencil, const A& holding, const B& others,
                    const Predicate& holds, call_site here = call_site::current()) {
  return partition_copy(algo::between(first, last, here), algo::range_from(stencil, last - first), holding, others,
                        holds, here);
}
/// In place: first what `holds` for. Returns how many these are; of a pair of iterators, the first of the others.
template <algo::container_like C, class Predicate>
std::int64_t partition(const C& range, const Predicate& holds, call_site here = call_site::current()) {
  const auto all = algo::elements_in(range, here);
  return algo::part_in_place(algo::kept_if("partition", all, holds, true, range.ctx(), here), all,
                             algo::operand_of(range), here);
}
template <algo::iterator_like I, class Predicate>
I partition(const I& first, const I& last, const Predicate& holds, call_site here = call_site::current()) {
  return first + partition(algo::range_between(first, last), holds, here);
}
/// x[i] by whether holds(stencil[i]).
template <algo::container_like C, algo::range_like S, class Predicate>
std::int64_t partition(const C& range, const S& stencil, const Predicate& holds,
                       call_site here = call_site::current()) {
  return algo::part_in_place(
      algo::kept_if("partition", algo::elements_in(stencil, here), holds, true, range.ctx(), here),
      algo::elements_in(range, here), algo::operand_of(range), here);
}
template <algo::iterator_like I, algo::iterator_like S, class Predicate>
I partition(const I& first, const I& last, const S& stencil, const Predicate& holds,
            call_site here = call_site::current()) {
  return first + partition(algo::range_between(first, last), algo::range_from(stencil, last - first), holds, here);
}

// Names of the standard library for what every partition does.
template <class R, class Predicate>
requires(algo::range_like<R> || algo::is_zipped<R>)
    [[nodiscard]] auto stable_partition_copy(const R& range, const Predicate& holds,
                                             call_site here = call_site::current()) {
  return partition_copy(range, holds, here);
}
template <class X, class Y, algo::output_like A, class B, class Predicate>
auto stable_partition_copy(const X& x, const Y& y, const A& a, const B& b, const Predicate& holds,
                           call_site here = call_site::current()) {
  return partition_copy(x, y, a, b, holds, here);
}
template <algo::range_like R, algo::output_like A, algo::output_like B, class Predicate>
auto stable_partition_copy(const R& range, const A& holding, const B& others, const Predicate& holds,
                           call_site here = call_site::current()) {
  return partition_copy(range, holding, others, holds, here);
}
template <algo::iterator_like I, algo::iterator_like S, algo::output_like A, algo::output_like B, class Predicate>
auto stable_partition_copy(const I& first, const I& last, const S& stencil, const A& holding, const B& others,
                           const Predicate& holds, call_site here = call_site::current()) {
  return partition_copy(first, last, stencil, holding, others, holds, here);
}
template <algo::container_like C, class Predicate>
std::int64_t stable_partition(const C& range, const Predicate& holds, call_site here = call_site::current()) {
  return partition(range, holds, here);
}
template <class X, class Y, class Predicate>
auto stable_partition(const X& x, const Y& y, const Predicate& holds, call_site here = call_site::current()) {
  return partition(x, y, holds, here);
}
template <algo::iterator_like I, algo::iterator_like S, class Predicate>
I stable_partition(const I& first, const I& last, const S& stencil, const Predicate& holds,
                   call_site here = call_site::current()) {
  return partition(first, last, stencil, holds, here);
}

}  // namespace tessera
