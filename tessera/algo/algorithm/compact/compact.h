#pragma once

#include <cstdint>

#include "tessera/algo/algorithm/compact/kept.h"

/// Algorithms that keep some elements of a range, in order. One launch counts them, another one writes them, in which
/// elements stay on their devices. On several devices the call waits for the counts between these. On one device whose
/// memory has room for all elements it returns at once: the size of a new vector, and a `ts::counted_size`, are waited
/// for when they are first asked for, which every use of the vector but a move does, also as the input of another call.
///
/// Without an output they return a new vector, whose parts are those in which the elements were found (`layout()`;
/// `ts::rebalance` makes them even). Into a container or a part they write at the beginning and return how many
/// elements; into an iterator they return the end of what is written, for which they wait. An output shares no element
/// with what is read. Pairs of iterators are changed in place as in std, a vector becomes shorter, as by std::erase_if.
/// A predicate is asked twice about each element. All throw `argument_error` for ranges of different sizes and for
/// outputs that are too small.
namespace tessera {

/// The elements that `holds` for; of zipped ranges in a tuple of vectors, with a predicate of as many parameters.
template <class R, class Predicate>
requires(algo::range_like<R> || algo::is_zipped<R>)
    [[nodiscard]] auto copy_if(const R& range, const Predicate& holds, call_site here = call_site::current()) {
  const auto from = algo::elements_in(range, here);
  return algo::kept_of(algo::kept_if("copy_if", from, holds, true, from.ctx(), here), from);
}
template <algo::range_like R, algo::output_like Out, class Predicate>
auto copy_if(const R& range, const Out& out, const Predicate& holds, call_site here = call_site::current()) {
  const auto from = algo::elements_in(range, here);
  return algo::write_kept<algo::element_t<R>>(
      algo::kept_if("copy_if", from, holds, true, algo::context_of_output(out), here), from.all[0], out, here);
}
template <algo::iterator_like I, algo::output_like Out, class Predicate>
auto copy_if(const I& first, const I& last, const Out& out, const Predicate& holds,
             call_site here = call_site::current()) {
  return copy_if(algo::between(first, last, here), out, holds, here);
}
/// x[i] where holds(stencil[i])
template <algo::range_like R, algo::range_like S, algo::output_like Out, class Predicate>
auto copy_if(const R& range, const S& stencil, const Out& out, const Predicate& holds,
             call_site here = call_site::current()) {
  return algo::write_kept<algo::element_t<R>>(
      algo::kept_if("copy_if", algo::elements_in(stencil, here), holds, true, algo::context_of_output(out), here),
      algo::sequence_of(range, here), out, here);
}
template <algo::iterator_like I, algo::iterator_like S, algo::output_like Out, class Predicate>
auto copy_if(const I& first, const I& last, const S& stencil, const Out& out, const Predicate& holds,
             call_site here = call_site::current()) {
  return copy_if(algo::between(first, last, here), algo::range_from(stencil, last - first), out, holds, here);
}
/// x[i] where holds(stencil[i]), in a new vector: `copy_if` takes its second range for the output.
template <algo::range_like R, algo::range_like S, class Predicate = identity>
[[nodiscard]] auto copy_where(const R& range, const S& stencil, const Predicate& holds = {},
                              call_site here = call_site::current()) {
  const auto from = algo::elements_in(range, here), asked = algo::elements_in(stencil, here);
  const context ctx = algo::context_of_all({from.all[0], asked.all[0]});
  return algo::kept_of(algo::kept_if("copy_where", asked, holds, true, ctx, here), from);
}

/// The elements that `holds` does not hold for.
template <class R, class Predicate>
requires(algo::range_like<R> || algo::is_zipped<R>)
    [[nodiscard]] auto remove_copy_if(const R& range, const Predicate& holds, call_site here = call_site::current()) {
  const auto from = algo::elements_in(range, here);
  return algo::kept_of(algo::kept_if("remove_copy_if", from, holds, false, from.ctx(), here), from);
}
template <algo::range_like R, algo::output_like Out, class Predicate>
auto remove_copy_if(const R& range, const Out& out, const Predicate& holds, call_site here = call_site::current()) {
  const auto from = algo::elements_in(range, here);
  return algo::write_kept<algo::element_t<R>>(
      algo::kept_if("remove_copy_if", from, holds, false, algo::context_of_output(out), here), from.all[0], out, here);
}
template <algo::iterator_like I, algo::output_like Out, class Predicate>
auto remove_copy_if(const I& first, const I& last, const Out& out, const Predicate& holds,
                    call_site here = call_site::current()) {
  return remove_copy_if(algo::between(first, last, here), out, holds, here);
}
template <algo::range_like R, algo::range_like S, algo::output_like Out, class Predicate>
auto remove_copy_if(const R& range, const S& stencil, const Out& out, const Predicate& holds,
                    call_site here = call_site::current()) {
  return algo::write_kept<algo::element_t<R>>(algo::kept_if("remove_copy_if", algo::elements_in(stencil, here), holds,
                                                            false, algo::context_of_output(out), here),
                                              algo::sequence_of(range, here), out, here);
}
template <algo::iterator_like I, algo::iterator_like S, algo::output_like Out, class Predicate>
auto remove_copy_if(const I& first, const I& last, const S& stencil, const Out& out, const Predicate& holds,
                    call_site here = call_site::current()) {
  return remove_copy_if(algo::between(first, last, here), algo::range_from(stencil, last - first), out, holds, here);
}

/// The elements that do not equal `value`.
template <algo::range_like R>
[[nodiscard]] auto remove_copy(const R& range, const algo::element_t<R>& value, call_site here = call_site::current()) {
  const auto from = algo::elements_in(range, here);
  return algo::kept_of(algo::kept_unequal("remove_copy", from.all[0], value, from.ctx(), here), from);
}
template <algo::range_like R, algo::output_like Out>
auto remove_copy(const R& range, const Out& out, const algo::element_t<R>& value,
                 call_site here = call_site::current()) {
  const algo::sequence all = algo::sequence_of(range, here);
  return algo::write_kept<algo::element_t<R>>(
      algo::kept_unequal("remove_copy", all, value, algo::context_of_output(out), here), all, out, here);
}
template <algo::iterator_like I, algo::output_like Out>
auto remove_copy(const I& first, const I& last, const Out& out, const algo::element_t<I>& value,
                 call_site here = call_site::current()) {
  return remove_copy(algo::between(first, last, here), out, value, here);
}

/// Without the elements that `holds` for. Of a vector, returns how many went; of a pair of iterators, the end of those
/// that stay, which stand at its beginning.
template <class T, class Predicate>
counted_size remove_if(vector<T>& v, const Predicate& holds, call_site here = call_site::current()) {
  return algo::keep_only(algo::kept_if("remove_if", algo::elements_in(v, here), holds, false, v.ctx(), here), v, here);
}
template <algo::iterator_like I, class Predicate>
I remove_if(const I& first, const I& last, const Predicate& holds, call_site here = call_site::current()) {
  const auto all = algo::elements_in(algo::between(first, last, here), here);
  return first + algo::keep_in_place(algo::kept_if("remove_if", all, holds, false, first.elements()->ctx(), here), all,
                                     algo::operand_of(first, last), here);
}
/// Without x[i] where holds(stencil[i]).
template <class T, algo::range_like S, class Predicate>
counted_size remove_if(vector<T>& v, const S& stencil, const Predicate& holds, call_site here = call_site::current()) {
  return algo::keep_only(algo::kept_if("remove_if", algo::elements_in(stencil, here), holds, false, v.ctx(), here), v,
                         here);
}
template <algo::iterator_like I, algo::iterator_like S, class Predicate>
I remove_if(const I& first, const I& last, const S& stencil, const Predicate& holds,
            call_site here = call_site::current()) {
  const auto asked = algo::elements_in(algo::range_from(stencil, last - first), here);
  return first + algo::keep_in_place(algo::kept_if("remove_if", asked, holds, false, first.elements()->ctx(), here),
                                     algo::elements_in(algo::between(first, last, here), here),
                                     algo::operand_of(first, last), here);
}
/// Without the elements that equal `value`.
template <class T>
counted_size remove(vector<T>& v, const std::type_identity_t<T>& value, call_site here = call_site::current()) {
  return algo::keep_only(algo::kept_unequal("remove", algo::sequence_of(v, here), value, v.ctx(), here), v, here);
}
template <algo::iterator_like I>
I remove(const I& first, const I& last, const algo::element_t<I>& value, call_site here = call_site::current()) {
  const auto all = algo::elements_in(algo::between(first, last, here), here);
  return first + algo::keep_in_place(algo::kept_unequal("remove", all.all[0], value, first.elements()->ctx(), here),
                                     all, algo::operand_of(first, last), here);
}

}  // namespace tessera
