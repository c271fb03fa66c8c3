#pragma once

#include <concepts>
#include <cstdint>
#include <ranges>

#include "tessera/algo/algorithm/scan/segments.h"
#include "tessera/algo/exec/segments/segment_launch.h"

/// Reductions and scans of segments that offsets tell: segment s of n is elements offsets[s] to offsets[s + 1] - 1, as
/// the rows of a sparse matrix in CSR form. Offsets ascend and lie in the range; there are n + 1. They are a range of
/// integers of the host, equal on all ranks, or elements of a container, which are read first: that waits. Segments may
/// be empty, and need not cover the range. Otherwise calls return at once. All throw `argument_error` for offsets and
/// outputs that do not fit.
namespace tessera {
namespace algo {

template <class R>
concept host_offsets = !range_like<R> && std::ranges::input_range<R> && std::integral<std::ranges::range_value_t<R>>;
/// What tells segments.
template <class R>
concept offsets_like = range_like<R> || host_offsets<R>;

template <offsets_like R>
[[nodiscard]] segment_list segments_of(const R& offsets, call_site here) {
  segment_list made;
  if constexpr (container_like<R>)
    for (const auto at : offsets.to_host(here)) made.offsets.push_back(static_cast<std::int64_t>(at));
  else if constexpr (range_like<R>)
    for (const auto at : lazy<element_t<R>>(sequence_of(offsets, here)).to_host(here))
      made.offsets.push_back(static_cast<std::int64_t>(at));
  else
    for (const auto at : offsets) made.offsets.push_back(static_cast<std::int64_t>(at));
  return made;
}

/// As the call of `ts::segmented_reduce`; elements of type R, an output of elements of type To.
void store_segmented_reduce(const sequence& all, const segment_list& segments, const scan_form_of_values& form,
                            const operand& to);
/// Throws `argument_error` unless `to` has as many elements as `all`, and segments lie there.
void require_scan(const sequence& all, const segment_list& segments, const operand& to);
/// Elements of `to` from the first segment's first to the last one's last.
[[nodiscard]] operand part_of_segments(const operand& to, const segment_list& segments);

template <class R, class To, class G>
void segmented_reduce_as(const sequence& all, const segment_list& segments, const R& start, const G& combine,
                         const operand& to, call_site here) {
  check_associative<R>("segmented_reduce", all, combine, here);
  sequence elements = at_own_places(all);
  if constexpr (is_host_callable<G>) {
    elements = stored_elements(all);
    elements.function = make_op_beside<G, R>(identity(), here);
  }
  store_segmented_reduce(elements, segments,
                         {make_op<R, R>(combine, here), bytes_of(start), conversion_beside<To, R, G>(here)}, to);
}

/// Scans `all` within segments into `to`; exclusive with a start.
template <class R, class To, class G>
void segmented_scan_as(const sequence& all, const segment_list& segments, const std::optional<R>& start,
                       const G& combine, const operand& to, call_site here) {
  require_scan(all, segments, to);
  const std::int64_t first = segments.offsets.front(), last = segments.offsets.back();
  if (first == last) return;
  const sequence values = part_of(all, first, last);
  const sequence heads = sequence_of_elements(head_flags(segments, to.elements->ctx(), here), type_name<bool>(), here);
  if (start)
    exclusive_scan_within<R, To>(heads, values, *start, combine, part_of_segments(to, segments), here);
  else
    inclusive_scan_within<R, To>(heads, values, combine, part_of_segments(to, segments), here);
}

}  // namespace algo

/// out[s] = `start` and the elements of segment s combined, by addition unless an operator is given; `start` alone for
/// a segment without elements. The operator is associative and commutative, as of `ts::reduce`; results have the same
/// bits on any devices and ranks. Each element moves at most once, to the device that has most of its neighbours.
template <algo::range_like R, algo::offsets_like S, algo::output_like Out, algo::not_a_range G = plus>
void segmented_reduce(const R& range, const S& offsets, const Out& out,
                      const std::type_identity_t<algo::element_t<R>>& start = {}, const G& combine = {},
                      call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  const algo::segment_list segments = algo::segments_of(offsets, here);
  algo::segmented_reduce_as<T, algo::element_t<Out>>(algo::sequence_of(range, here), segments, start, combine,
                                                     algo::output_operand(out, {segments.size()}), here);
}
template <algo::range_like R, algo::offsets_like S, algo::not_a_range G = plus>
[[nodiscard]] auto segmented_reduce(const R& range, const S& offsets,
                                    const std::type_identity_t<algo::element_t<R>>& start = {}, const G& combine = {},
                                    call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  const algo::segment_list segments = algo::segments_of(offsets, here);
  const algo::sequence all = algo::sequence_of(range, here);
  algo::require_segments("segmented_reduce", segments, all.size, here);
  vector<T> out = algo::new_output<T, 1>({segments.size()}, all.ctx());
  algo::segmented_reduce_as<T, T>(all, segments, start, combine, algo::operand_of(out), here);
  return out;
}
template <algo::iterator_like I, algo::offsets_like S, algo::output_like Out, algo::not_a_range G = plus>
void segmented_reduce(const I& first, const I& last, const S& offsets, const Out& out,
                      const std::type_identity_t<algo::element_t<I>>& start = {}, const G& combine = {},
                      call_site here = call_site::current()) {
  segmented_reduce(algo::range_between(first, last), offsets, out, start, combine, here);
}
template <algo::iterator_like I, algo::offsets_like S, algo::not_a_range G = plus>
[[nodiscard]] auto segmented_reduce(const I& first, const I& last, const S& offsets,
                                    const std::type_identity_t<algo::element_t<I>>& start = {}, const G& combine = {},
                                    call_site here = call_site::current()) {
  return segmented_reduce(algo::range_between(first, last), offsets, start, combine, here);
}

/// Element k is the elements of its segment up to k combined, by addition unless an associative operator is given. Of
/// elements in no segment an output keeps what it has, and a new vector has value-initialised ones.
template <algo::range_like R, algo::offsets_like S, algo::output_like Out, algo::not_a_range G = plus>
void segmented_scan(const R& range, const S& offsets, const Out& out, const G& combine = {},
                    call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  const algo::sequence all = algo::sequence_of(range, here);
  algo::segmented_scan_as<T, algo::element_t<Out>>(all, algo::segments_of(offsets, here), std::nullopt, combine,
                                                   algo::output_operand(out, {all.size}), here);
}
template <algo::range_like R, algo::offsets_like S, algo::not_a_range G = plus>
[[nodiscard]] auto segmented_scan(const R& range, const S& offsets, const G& combine = {},
                                  call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  vector<T> out(range.size(), T{}, algo::sequence_of(range, here).ctx());
  segmented_scan(range, offsets, out, combine, here);
  return out;
}
template <algo::iterator_like I, algo::offsets_like S, algo::output_like Out, algo::not_a_range G = plus>
void segmented_scan(const I& first, const I& last, const S& offsets, const Out& out, const G& combine = {},
                    call_site here = call_site::current()) {
  segmented_scan(algo::range_between(first, last), offsets, out, combine, here);
}
template <algo::iterator_like I, algo::offsets_like S, algo::not_a_range G = plus>
[[nodiscard]] auto segmented_scan(const I& first, const I& last, const S& offsets, const G& combine = {},
                                  call_site here = call_site::current()) {
  return segmented_scan(algo::range_between(first, last), offsets, combine, here);
}

/// Element k is `start` and the elements of its segment before k combined.
template <algo::range_like R, algo::offsets_like S, algo::output_like Out, algo::not_a_range G = plus>
void segmented_exclusive_scan(const R& range, const S& offsets, const Out& out, const algo::element_t<R>& start,
                              const G& combine = {}, call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  const algo::sequence all = algo::sequence_of(range, here);
  algo::segmented_scan_as<T, algo::element_t<Out>>(all, algo::segments_of(offsets, here), std::optional<T>(start),
                                                   combine, algo::output_operand(out, {all.size}), here);
}
template <algo::range_like R, algo::offsets_like S, algo::not_a_range G = plus>
[[nodiscard]] auto segmented_exclusive_scan(const R& range, const S& offsets, const algo::element_t<R>& start,
                                            const G& combine = {}, call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  vector<T> out(range.size(), T{}, algo::sequence_of(range, here).ctx());
  segmented_exclusive_scan(range, offsets, out, start, combine, here);
  return out;
}
template <algo::iterator_like I, algo::offsets_like S, algo::output_like Out, algo::not_a_range G = plus>
void segmented_exclusive_scan(const I& first, const I& last, const S& offsets, const Out& out,
                              const algo::element_t<I>& start, const G& combine = {},
                              call_site here = call_site::current()) {
  segmented_exclusive_scan(algo::range_between(first, last), offsets, out, start, combine, here);
}
template <algo::iterator_like I, algo::offsets_like S, algo::not_a_range G = plus>
[[nodiscard]] auto segmented_exclusive_scan(const I& first, const I& last, const S& offsets,
                                            const algo::element_t<I>& start, const G& combine = {},
                                            call_site here = call_site::current()) {
  return segmented_exclusive_scan(algo::range_between(first, last), offsets, start, combine, here);
}

}  // namespace tessera
