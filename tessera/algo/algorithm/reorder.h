#pragma once

#include <cstdint>

#include "tessera/algo/algorithm/elementwise.h"
#include "tessera/algo/algorithm/gather.h"

/// Elements of a range in another order: backwards, turned round, moved along, shuffled; and the first and last one.
/// Each copy is one launch, or two, in which only what changes its device moves; a range that is changed in place is
/// copied once more. All but `front`, `back` and, between several devices, shuffles return at once. All throw
/// `argument_error` for outputs of another size, and for those that share elements with the input.
namespace tessera {
namespace algo {

/// Element i is element (i + `by`) mod n of `all`, in two parts; 0 <= by <= n.
void store_rotated(const sequence& all, std::int64_t by, const operand& out, const op& last);
/// A permutation of the numbers below n that `seed` chooses.
[[nodiscard]] sequence shuffled_places(std::int64_t n, std::uint64_t seed, call_site here);
/// Throws `argument_error` unless 0 <= `by` <= `size`.
void require_rotation(std::int64_t by, std::int64_t size, call_site here);
[[noreturn]] void refuse_empty(const char* which, call_site here);

/// Element `at` of `all`; waits for it.
template <class T>
[[nodiscard]] T element_of(const sequence& all, std::int64_t at, call_site here) {
  return lazy<T>(part_of(all, at, at + 1)).to_host(here)[0];
}

}  // namespace algo

/// The last element first.
template <algo::range_like R, algo::output_like Out>
void reverse_copy(const R& range, const Out& out, call_site here = call_site::current()) {
  copy(views::reverse(range, here), out, here);
}
template <algo::iterator_like I, algo::output_like Out>
void reverse_copy(const I& first, const I& last, const Out& out, call_site here = call_site::current()) {
  reverse_copy(algo::range_between(first, last), out, here);
}
template <algo::container_like C>
void reverse(const C& range, call_site here = call_site::current()) {
  copy(views::reverse(range, here).stored(), range, here);
}
template <algo::iterator_like I>
void reverse(const I& first, const I& last, call_site here = call_site::current()) {
  reverse(algo::range_between(first, last), here);
}

/// Element i is element (i + `by`) mod n: element `by` becomes the first one. 0 <= by <= n.
template <algo::range_like R, algo::output_like Out>
void rotate_copy(const R& range, std::int64_t by, const Out& out, call_site here = call_site::current()) {
  const algo::sequence all = algo::sequence_of(range, here);
  algo::store_rotated(all, by, algo::output_operand(out, {all.size}),
                      algo::shown_as<algo::element_t<Out>, algo::element_t<R>>(here));
}
template <algo::iterator_like I, algo::output_like Out>
void rotate_copy(const I& first, const I& middle, const I& last, const Out& out,
                 call_site here = call_site::current()) {
  rotate_copy(algo::range_between(first, last), middle - first, out, here);
}
template <algo::container_like C>
void rotate(const C& range, std::int64_t by, call_site here = call_site::current()) {
  using T = algo::element_t<C>;
  vector<T> turned = algo::new_output<T, 1>({range.size()}, algo::operand_of(range).elements->ctx());
  rotate_copy(range, by, turned, here);
  copy(turned, range, here);
}
/// Returns where the element that was the first one is now.
template <algo::iterator_like I>
I rotate(const I& first, const I& middle, const I& last, call_site here = call_site::current()) {
  rotate(algo::range_between(first, last), middle - first, here);
  return first + (last - middle);
}

/// Element i is element i + `by`; where there is none it is value-initialised: elements fall off at one end, zeros come
/// in at the other. As `views::shifted`.
template <algo::range_like R, algo::output_like Out>
void shift_copy(const R& range, std::int64_t by, const Out& out, call_site here = call_site::current()) {
  copy(views::shifted(range, by, here), out, here);
}
template <algo::iterator_like I, algo::output_like Out>
void shift_copy(const I& first, const I& last, std::int64_t by, const Out& out, call_site here = call_site::current()) {
  shift_copy(algo::range_between(first, last), by, out, here);
}
template <algo::container_like C>
void shift(const C& range, std::int64_t by, call_site here = call_site::current()) {
  copy(views::shifted(range, by, here).stored(), range, here);
}
template <algo::iterator_like I>
void shift(const I& first, const I& last, std::int64_t by, call_site here = call_site::current()) {
  shift(algo::range_between(first, last), by, here);
}

/// The elements in an order that `seed` and their number alone choose: the same on any devices and ranks.
template <algo::range_like R, algo::output_like Out>
void shuffle_copy(const R& range, const Out& out, std::uint64_t seed, call_site here = call_site::current()) {
  gather(lazy<std::int64_t>(algo::shuffled_places(range.size(), seed, here)), range, out, here);
}
template <algo::iterator_like I, algo::output_like Out>
void shuffle_copy(const I& first, const I& last, const Out& out, std::uint64_t seed,
                  call_site here = call_site::current()) {
  shuffle_copy(algo::range_between(first, last), out, seed, here);
}
template <algo::container_like C>
void shuffle(const C& range, std::uint64_t seed, call_site here = call_site::current()) {
  using T = algo::element_t<C>;
  vector<T> shuffled = algo::new_output<T, 1>({range.size()}, algo::operand_of(range).elements->ctx());
  shuffle_copy(range, shuffled, seed, here);
  copy(shuffled, range, here);
}
template <algo::iterator_like I>
void shuffle(const I& first, const I& last, std::uint64_t seed, call_site here = call_site::current()) {
  shuffle(algo::range_between(first, last), seed, here);
}

/// The first or last element of a range that has one; waits for it.
template <algo::range_like R>
[[nodiscard]] algo::element_t<R> front(const R& range, call_site here = call_site::current()) {
  if (range.size() == 0) algo::refuse_empty("front", here);
  return algo::element_of<algo::element_t<R>>(algo::sequence_of(range, here), 0, here);
}
template <algo::range_like R>
[[nodiscard]] algo::element_t<R> back(const R& range, call_site here = call_site::current()) {
  if (range.size() == 0) algo::refuse_empty("back", here);
  return algo::element_of<algo::element_t<R>>(algo::sequence_of(range, here), range.size() - 1, here);
}

}  // namespace tessera
