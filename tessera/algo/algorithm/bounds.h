#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "tessera/algo/algorithm/gather.h"
#include "tessera/algo/algorithm/reduced.h"
#include "tessera/algo/view/views.h"

/// Searches in sorted ranges, for one value or for each element of another range, the queries. Ranges are containers,
/// parts, views or pairs of iterators, sorted by `before`, which is `<` unless it is given; it is also asked with
/// queries of another type, first or second. Results are places, counted from 0. Where the sorted range is small beside
/// the queries, or one device has it, each device reads all of it and a call returns at once; otherwise queries are
/// taken to the devices that have the elements around them: for q queries of s bytes at most q (8 + s) bytes, and one
/// wait for their numbers. With any TESSERA_CHECK a range that is not sorted is an `argument_error` with the first
/// place.
namespace tessera {
namespace algo {

/// A search as kernels know it: `place(all, query)` in a whole container, or in a part of it, and `owner(fences,
/// query)`, the part in which it is to be looked for; `fences` are the first elements of parts.
struct search_operators {
  op place;
  op owner;
};
/// What each query finds in `sorted`, whose elements are of type `type`, as `last` shows it.
void store_search(const sequence& sorted, const sequence& queries, const search_operators& search, const op& last,
                  const operand& out);
/// Throws `argument_error` unless `out` has as many elements as queries.
void require_answers(const sequence& queries, const operand& out);
[[noreturn]] void refuse_unsorted(std::int64_t place, call_site here);

/// False for functions whose parameters say that they compare elements of type T with queries of another one alone.
template <class Signature, class T>
inline constexpr bool orders_elements = true;
template <class R, class A, class B, class T>
inline constexpr bool orders_elements<call_signature<R, A, B>, T> =
    std::is_convertible_v<T, std::remove_cvref_t<A>>&& std::is_convertible_v<T, std::remove_cvref_t<B>>;

template <class T, class Before>
void require_sorted(const sequence& all, const Before& before, call_site here) {
  if constexpr (orders_elements<typename own_signature<Before>::type, T>) {
    if (all.size < 2 || !is_checked(all.ctx())) return;
    const sequence breaks = applied_to<T, T>(before, {part_of(all, 1, all.size), part_of(all, 0, all.size - 1)}, here);
    const std::int64_t place = first_place_where(breaks, true, here);
    if (place + 1 < all.size) refuse_unsorted(place + 1, here);
  }
}

enum class search_kind : std::uint8_t { lower, upper, found };

template <search_kind Kind>
using search_result = std::conditional_t<Kind == search_kind::found, bool, std::int64_t>;

/// The operators of a search for queries of type Q among elements of type T, for a function that is text.
template <search_kind Kind, class T, class Q, class Before>
[[nodiscard]] search_operators search_for(const Before& before, call_site here) {
  const auto signature = signature_for<std::int64_t, vec<T>, Q>();
  const auto named = [&](const char* name, const op& part) { return wrapped(name, {part}, {}, signature, here); };
  if constexpr (Kind == search_kind::lower) {
    const op place = named("tessera::algo::lower_place", make_op<T, Q>(before, here));
    return {place, named("tessera::algo::owner_by_fences", place)};
  } else {
    const op behind = make_op<Q, T>(before, here), place = named("tessera::algo::upper_place", behind);
    const op owner = named("tessera::algo::owner_by_fences", place);
    if constexpr (Kind == search_kind::upper)
      return {place, owner};
    else
      return {wrapped("tessera::algo::is_found", {make_op<T, Q>(before, here), behind}, {},
                      signature_for<bool, vec<T>, Q>(), here),
              owner};
  }
}
/// As above, on the host: every call has all elements.
template <search_kind Kind, class T, class Q, class F>
[[nodiscard]] op search_on_host(const host_callable<F>& before) {
  const auto as = [&](auto functor) {
    using functor_type = decltype(functor);
    return host_op<vec<T>, Q>(std::make_shared<const functor_type>(functor), before.kernels(), before.number());
  };
  if constexpr (Kind == search_kind::lower)
    return as(lower_place<F>{*before.function()});
  else if constexpr (Kind == search_kind::upper)
    return as(upper_place<F>{*before.function()});
  else
    return as(is_found<F, F>{{*before.function()}, *before.function()});
}

template <search_kind Kind, class T, class Q, class Before, class To>
void search_as(const sequence& sorted, const sequence& queries, const Before& before, const operand& out,
               std::type_identity<To>, call_site here) {
  using R = search_result<Kind>;
  require_answers(queries, out);
  require_sorted<T>(sorted, before, here);
  const op last = shown_as<To, R>(here);
  if constexpr (is_host_callable<Before>) {
    const sequence all = whole_container(stored_elements(sorted).given[0], queries.size, here);
    const op function = search_on_host<Kind, T, Q>(before);
    store(applied(last, {sequence_of(stored_by_host<R>(function, {all, queries}, here), here)}, here), out);
  } else {
    store_search(sorted, queries, search_for<Kind, T, Q>(before, here), last, out);
  }
}
template <search_kind Kind, range_like R, range_like S, output_like Out, class Before>
void search(const R& sorted, const S& queries, const Out& out, const Before& before, call_site here) {
  const sequence asked = sequence_of(queries, here);
  search_as<Kind, element_t<R>, element_t<S>>(sequence_of(sorted, here), asked, before,
                                              output_operand(out, {asked.size}), std::type_identity<element_t<Out>>(),
                                              here);
}
/// In a new vector.
template <search_kind Kind, range_like R, range_like S, class Before>
[[nodiscard]] vector<search_result<Kind>> searched(const R& sorted, const S& queries, const Before& before,
                                                   call_site here) {
  vector<search_result<Kind>> out = new_output<search_result<Kind>, 1>(
      {queries.size()}, context_of_all({sequence_of(sorted, here), sequence_of(queries, here)}));
  search<Kind>(sorted, queries, out, before, here);
  return out;
}
/// For one value; waits for the answer.
template <search_kind Kind, range_like R, class T, class Before>
[[nodiscard]] search_result<Kind> search_one(const R& sorted, const T& wanted, const Before& before, call_site here) {
  return searched<Kind>(sorted, views::constant(wanted, 1, here), before, here).to_host(here)[0];
}

}  // namespace algo

/// The first place whose element does not come before the query.
template <algo::range_like R, algo::range_like S, algo::output_like Out, algo::not_a_range Before = less>
void lower_bound(const R& sorted, const S& queries, const Out& out, const Before& before = {},
                 call_site here = call_site::current()) {
  algo::search<algo::search_kind::lower>(sorted, queries, out, before, here);
}
template <algo::range_like R, algo::range_like S, algo::not_a_range Before = less>
[[nodiscard]] auto lower_bound(const R& sorted, const S& queries, const Before& before = {},
                               call_site here = call_site::current()) {
  return algo::searched<algo::search_kind::lower>(sorted, queries, before, here);
}
template <algo::iterator_like I, algo::iterator_like J, algo::output_like Out, algo::not_a_range Before = less>
void lower_bound(const I& first, const I& last, const J& first_query, const J& last_query, const Out& out,
                 const Before& before = {}, call_site here = call_site::current()) {
  lower_bound(algo::range_between(first, last), algo::range_between(first_query, last_query), out, before, here);
}
template <algo::iterator_like I, algo::iterator_like J, algo::not_a_range Before = less>
[[nodiscard]] auto lower_bound(const I& first, const I& last, const J& first_query, const J& last_query,
                               const Before& before = {}, call_site here = call_site::current()) {
  return lower_bound(algo::range_between(first, last), algo::range_between(first_query, last_query), before, here);
}
/// For one value: its place, or an iterator. Waits.
template <algo::range_like R, algo::not_a_range Before = less>
[[nodiscard]] std::int64_t lower_bound(const R& sorted, const algo::element_t<R>& wanted, const Before& before = {},
                                       call_site here = call_site::current()) {
  return algo::search_one<algo::search_kind::lower>(sorted, wanted, before, here);
}
template <algo::iterator_like I, algo::not_a_range Before = less>
[[nodiscard]] I lower_bound(const I& first, const I& last, const algo::element_t<I>& wanted, const Before& before = {},
                            call_site here = call_site::current()) {
  return first + lower_bound(algo::range_between(first, last), wanted, before, here);
}

/// The first place whose element comes behind the query.
template <algo::range_like R, algo::range_like S, algo::output_like Out, algo::not_a_range Before = less>
void upper_bound(const R& sorted, const S& queries, const Out& out, const Before& before = {},
                 call_site here = call_site::current()) {
  algo::search<algo::search_kind::upper>(sorted, queries, out, before, here);
}
template <algo::range_like R, algo::range_like S, algo::not_a_range Before = less>
[[nodiscard]] auto upper_bound(const R& sorted, const S& queries, const Before& before = {},
                               call_site here = call_site::current()) {
  return algo::searched<algo::search_kind::upper>(sorted, queries, before, here);
}
template <algo::iterator_like I, algo::iterator_like J, algo::output_like Out, algo::not_a_range Before = less>
void upper_bound(const I& first, const I& last, const J& first_query, const J& last_query, const Out& out,
                 const Before& before = {}, call_site here = call_site::current()) {
  upper_bound(algo::range_between(first, last), algo::range_between(first_query, last_query), out, before, here);
}
template <algo::iterator_like I, algo::iterator_like J, algo::not_a_range Before = less>
[[nodiscard]] auto upper_bound(const I& first, const I& last, const J& first_query, const J& last_query,
                               const Before& before = {}, call_site here = call_site::current()) {
  return upper_bound(algo::range_between(first, last), algo::range_between(first_query, last_query), before, here);
}
/// For one value: its place, or an iterator. Waits.
template <algo::range_like R, algo::not_a_range Before = less>
[[nodiscard]] std::int64_t upper_bound(const R& sorted, const algo::element_t<R>& wanted, const Before& before = {},
                                       call_site here = call_site::current()) {
  return algo::search_one<algo::search_kind::upper>(sorted, wanted, before, here);
}
template <algo::iterator_like I, algo::not_a_range Before = less>
[[nodiscard]] I upper_bound(const I& first, const I& last, const algo::element_t<I>& wanted, const Before& before = {},
                            call_site here = call_site::current()) {
  return first + upper_bound(algo::range_between(first, last), wanted, before, here);
}

/// Whether an element is neither before nor behind the query.
template <algo::range_like R, algo::range_like S, algo::output_like Out, algo::not_a_range Before = less>
void binary_search(const R& sorted, const S& queries, const Out& out, const Before& before = {},
                   call_site here = call_site::current()) {
  algo::search<algo::search_kind::found>(sorted, queries, out, before, here);
}
template <algo::range_like R, algo::range_like S, algo::not_a_range Before = less>
[[nodiscard]] auto binary_search(const R& sorted, const S& queries, const Before& before = {},
                                 call_site here = call_site::current()) {
  return algo::searched<algo::search_kind::found>(sorted, queries, before, here);
}
template <algo::iterator_like I, algo::iterator_like J, algo::output_like Out, algo::not_a_range Before = less>
void binary_search(const I& first, const I& last, const J& first_query, const J& last_query, const Out& out,
                   const Before& before = {}, call_site here = call_site::current()) {
  binary_search(algo::range_between(first, last), algo::range_between(first_query, last_query), out, before, here);
}
template <algo::iterator_like I, algo::iterator_like J, algo::not_a_range Before = less>
[[nodiscard]] auto binary_search(const I& first, const I& last, const J& first_query, const J& last_query,
                                 const Before& before = {}, call_site here = call_site::current()) {
  return binary_search(algo::range_between(first, last), algo::range_between(first_query, last_query), before, here);
}
/// For one value; waits.
template <algo::range_like R, algo::not_a_range Before = less>
[[nodiscard]] bool binary_search(const R& sorted, const algo::element_t<R>& wanted, const Before& before = {},
                                 call_site here = call_site::current()) {
  return algo::search_one<algo::search_kind::found>(sorted, wanted, before, here);
}
template <algo::iterator_like I, algo::not_a_range Before = less>
[[nodiscard]] bool binary_search(const I& first, const I& last, const algo::element_t<I>& wanted,
                                 const Before& before = {}, call_site here = call_site::current()) {
  return binary_search(algo::range_between(first, last), wanted, before, here);
}

/// Where the elements that are neither before nor behind the query begin and end: `lower_bound` and `upper_bound`.
template <algo::range_like R, algo::range_like S, algo::output_like Lower, algo::output_like Upper,
          algo::not_a_range Before = less>
void equal_range(const R& sorted, const S& queries, const Lower& lower, const Upper& upper, const Before& before = {},
                 call_site here = call_site::current()) {
  lower_bound(sorted, queries, lower, before, here);
  upper_bound(sorted, queries, upper, before, here);
}
template <algo::range_like R, algo::range_like S, algo::not_a_range Before = less>
[[nodiscard]] std::pair<vector<std::int64_t>, vector<std::int64_t>> equal_range(const R& sorted, const S& queries,
                                                                                const Before& before = {},
                                                                                call_site here = call_site::current()) {
  return {lower_bound(sorted, queries, before, here), upper_bound(sorted, queries, before, here)};
}
template <algo::iterator_like I, algo::iterator_like J, algo::not_a_range Before = less>
[[nodiscard]] auto equal_range(const I& first, const I& last, const J& first_query, const J& last_query,
                               const Before& before = {}, call_site here = call_site::current()) {
  return equal_range(algo::range_between(first, last), algo::range_between(first_query, last_query), before, here);
}
template <algo::range_like R, algo::not_a_range Before = less>
[[nodiscard]] std::pair<std::int64_t, std::int64_t> equal_range(const R& sorted, const algo::element_t<R>& wanted,
                                                                const Before& before = {},
                                                                call_site here = call_site::current()) {
  return {lower_bound(sorted, wanted, before, here), upper_bound(sorted, wanted, before, here)};
}
template <algo::iterator_like I, algo::not_a_range Before = less>
[[nodiscard]] std::pair<I, I> equal_range(const I& first, const I& last, const algo::element_t<I>& wanted,
                                          const Before& before = {}, call_site here = call_site::current()) {
  return {lower_bound(first, last, wanted, before, here), upper_bound(first, last, wanted, before, here)};
}

}  // namespace tessera
