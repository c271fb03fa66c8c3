#pragma once

#include <cstdint>
#include <optional>

#include "tessera/algo/algorithm/range.h"
#include "tessera/algo/device/search.h"
#include "tessera/algo/exec/routes/scatter.h"

/// Elements taken from, and put to, places that other elements tell. Places are integers, counted from 0; ranges are
/// containers, parts, views or pairs of iterators. Where each device has, or may as well read, all elements, a call is
/// one launch and returns at once. Otherwise places are taken to the devices that have the elements, and elements back:
/// for q places and elements of s bytes at most q (8 + s) bytes, and one wait for the numbers of places. A container of
/// places keeps what was found out, 12 bytes for each, if that is little beside memory: another gather by it moves q s
/// bytes and does not wait. Places outside
/// touch nothing outside: `gather` takes any element there, `scatter` leaves the value out. With any TESSERA_CHECK they
/// are `argument_error`s, as places that two values are scattered to. All throw `argument_error` for sizes that do not
/// fit, and for an output that is also an input elsewhere.
namespace tessera {
namespace algo {

/// What is gathered: elements at `places`, for those of which `where` is true if it is given.
struct gathered_elements {
  sequence source;
  sequence places;
  std::optional<sequence> where{};
};
/// As `last` shows them. `out` has as many elements as places.
void store_gathered(const gathered_elements& from, const operand& out, const op& last);
/// As `last` shows them.
void store_scattered(const scattered_values& from, const operand& out, const op& last);

/// The operator that shows elements of type T as those of type To.
template <class To, class T>
[[nodiscard]] op shown_as(call_site here) {
  if constexpr (std::is_same_v<To, T>)
    return identity_op(type_name<T>(), dtype_of<T>());
  else
    return wrapped("tessera::algo::as_type", {}, {type_name<To>()}, signature_for<To, T>(), here);
}

template <class P, class Predicate>
[[nodiscard]] sequence flags_of(const sequence& stencil, const Predicate& holds, call_site here) {
  return applied_to<P>(holds, {stencil}, here);
}

}  // namespace algo

/// out[i] = source[map[i]]
template <algo::range_like M, algo::range_like S, algo::output_like Out>
void gather(const M& map, const S& source, const Out& out, call_site here = call_site::current()) {
  const algo::sequence places = algo::sequence_of(map, here);
  algo::store_gathered({algo::sequence_of(source, here), places, {}}, algo::output_operand(out, {places.size}),
                       algo::shown_as<algo::element_t<Out>, algo::element_t<S>>(here));
}
template <algo::range_like M, algo::range_like S>
[[nodiscard]] auto gather(const M& map, const S& source, call_site here = call_site::current()) {
  using T = algo::element_t<S>;
  vector<T> out = algo::new_output<T, 1>({map.size()}, algo::sequence_of(source, here).ctx());
  gather(map, source, out, here);
  return out;
}
template <algo::iterator_like I, algo::iterator_like J, algo::output_like Out>
void gather(const I& first, const I& last, const J& source, const Out& out, call_site here = call_site::current()) {
  gather(algo::range_between(first, last), algo::range_behind(source), out, here);
}
template <algo::iterator_like I, algo::iterator_like J>
[[nodiscard]] auto gather(const I& first, const I& last, const J& source, call_site here = call_site::current()) {
  return gather(algo::range_between(first, last), algo::range_behind(source), here);
}

/// out[i] = source[map[i]] where holds(stencil[i]); other elements of `out` stay.
template <algo::range_like M, algo::range_like P, algo::range_like S, algo::output_like Out,
          algo::not_a_range Predicate = identity>
void gather_if(const M& map, const P& stencil, const S& source, const Out& out, const Predicate& holds = {},
               call_site here = call_site::current()) {
  const algo::sequence places = algo::sequence_of(map, here);
  algo::store_gathered({algo::sequence_of(source, here), places,
                        algo::flags_of<algo::element_t<P>>(algo::sequence_of(stencil, here), holds, here)},
                       algo::output_operand(out, {places.size}),
                       algo::shown_as<algo::element_t<Out>, algo::element_t<S>>(here));
}
template <algo::iterator_like I, algo::iterator_like P, algo::iterator_like J, algo::output_like Out,
          algo::not_a_range Predicate = identity>
void gather_if(const I& first, const I& last, const P& stencil, const J& source, const Out& out,
               const Predicate& holds = {}, call_site here = call_site::current()) {
  gather_if(algo::range_between(first, last), algo::range_from(stencil, last - first), algo::range_behind(source), out,
            holds, here);
}

/// out[map[i]] = values[i]; other elements of `out` stay. Of values for one place one wins.
template <algo::range_like V, algo::range_like M, algo::container_like Out>
void scatter(const V& values, const M& map, const Out& out, call_site here = call_site::current()) {
  algo::store_scattered({algo::sequence_of(values, here), algo::sequence_of(map, here), {}}, algo::operand_of(out),
                        algo::shown_as<algo::element_t<Out>, algo::element_t<V>>(here));
}
template <algo::iterator_like I, algo::iterator_like M, algo::iterator_like Out>
void scatter(const I& first, const I& last, const M& map, const Out& out, call_site here = call_site::current()) {
  scatter(algo::range_between(first, last), algo::range_from(map, last - first), algo::range_behind(out), here);
}

/// out[map[i]] = values[i] where holds(stencil[i]).
template <algo::range_like V, algo::range_like M, algo::range_like P, algo::container_like Out,
          algo::not_a_range Predicate = identity>
void scatter_if(const V& values, const M& map, const P& stencil, const Out& out, const Predicate& holds = {},
                call_site here = call_site::current()) {
  algo::store_scattered({algo::sequence_of(values, here), algo::sequence_of(map, here),
                         algo::flags_of<algo::element_t<P>>(algo::sequence_of(stencil, here), holds, here)},
                        algo::operand_of(out), algo::shown_as<algo::element_t<Out>, algo::element_t<V>>(here));
}
template <algo::iterator_like I, algo::iterator_like M, algo::iterator_like P, algo::iterator_like Out,
          algo::not_a_range Predicate = identity>
void scatter_if(const I& first, const I& last, const M& map, const P& stencil, const Out& out,
                const Predicate& holds = {}, call_site here = call_site::current()) {
  const std::int64_t count = last - first;
  scatter_if(algo::range_between(first, last), algo::range_from(map, count), algo::range_from(stencil, count),
             algo::range_behind(out), holds, here);
}

}  // namespace tessera
