#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "tessera/algo/algorithm/compact/compact.h"
#include "tessera/algo/algorithm/order/merge.h"
#include "tessera/algo/algorithm/order/sort.h"
#include "tessera/algo/algorithm/scan/segmented.h"

/// The first elements of an order, and orders within segments, by the sorts of algorithm/order/sort.h.
namespace tessera {
namespace algo {

/// Throws `argument_error` for a negative number of elements.
void require_count(const char* algorithm, std::int64_t count, call_site here);
/// Number k for each element of segment k. Throws `argument_error` unless the segments hold `n` elements.
[[nodiscard]] vector<std::int64_t> segment_numbers(const segment_list& segments, std::int64_t n, const context& ctx,
                                                   call_site here);

/// An element that about `count` elements come before, rather more: found in a sample.
template <class T, class Order>
[[nodiscard]] T bound_of_first(const operand& all, std::int64_t count, const Order& order, call_site here) {
  constexpr std::int64_t sample_size = 8192;
  const std::vector<std::byte> bytes = sampled_keys({all, type_name<T>()}, sample_size, here);
  std::vector<T> some(bytes.size() / sizeof(T));
  std::memcpy(some.data(), bytes.data(), bytes.size());
  const std::int64_t size = std::ssize(some), share = (count * size + all.size() - 1) / all.size();
  const auto place = static_cast<std::ptrdiff_t>(std::min(size - 1, share + share / 4 + 32));
  std::nth_element(some.begin(), some.begin() + place, some.end(),
                   [&](const T& a, const T& b) { return static_cast<bool>(order(a, b)); });
  return some[static_cast<std::size_t>(place)];
}

}  // namespace algo

/// The `count` elements that come first by an order, in that order: the greatest ones unless another is given. All of
/// them if there are fewer. A sample tells which elements can be among them, and these alone are sorted.
template <algo::range_like R, class Before = greater>
[[nodiscard]] vector<algo::element_t<R>> top_k(const R& range, std::int64_t count, const Before& before = {},
                                               call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  algo::require_count("top_k", count, here);
  constexpr std::int64_t least_size = 65536;
  const algo::operand all = algo::stored_operand(range, here);
  const auto order = algo::total_order<T>(before);
  std::optional<vector<T>> found;
  if constexpr (!algo::is_host_callable<Before>)
    if (all.size() >= least_size && count <= all.size() / 8) {
      const T bound = algo::bound_of_first<T>(all, count, order, here);
      const algo::sequence elements = algo::sequence_of_elements(all, algo::type_name<T>(), here),
                           limit = views::constant(bound, all.size(), here).elements();
      const algo::key_order keys = algo::order_of<T>(before, 0, here);
      const algo::emission kept("top_k", algo::applied(keys.before, {limit, elements}, here), false, elements.ctx(),
                                here);
      if (kept.size() >= count) found = algo::kept_of(kept, algo::elements_of<T>{{elements}});
    }
  vector<T> candidates =
      found ? std::move(*found) : lazy<T>(algo::sequence_of_elements(all, algo::type_name<T>(), here)).stored();
  stable_sort(candidates, before, here);
  if (candidates.size() > count) candidates.resize(count, here);
  return candidates;
}
template <algo::iterator_like I, class Before = greater>
[[nodiscard]] vector<algo::element_t<I>> top_k(const I& first, const I& last, std::int64_t count,
                                               const Before& before = {}, call_site here = call_site::current()) {
  return top_k(algo::range_between(first, last), count, before, here);
}

/// Element `place` becomes the one that stands there in order; none in front of it comes after it. All elements are put
/// in order.
template <algo::container_like C, class Before = less>
void nth_element(const C& range, std::int64_t place, const Before& before = {}, call_site here = call_site::current()) {
  if (place < range.size()) stable_sort(range, before, here);
}
template <algo::iterator_like I, class Before = less>
void nth_element(const I& first, const I& nth, const I& last, const Before& before = {},
                 call_site here = call_site::current()) {
  if (nth < last) stable_sort(first, last, before, here);
}

/// Puts the elements of each segment in order, stably. Segments are told by offsets as those of
/// `ts::segmented_reduce`, and cover the range.
template <algo::container_like C, algo::offsets_like S, class Before = less>
void segmented_sort(const C& range, const S& offsets, const Before& before = {},
                    call_site here = call_site::current()) {
  vector<std::int64_t> segments =
      algo::segment_numbers(algo::segments_of(offsets, here), range.size(), range.ctx(), here);
  stable_sort_by_key(range, segments, before, here);
  stable_sort_by_key(segments, range, less(), here);
}
template <algo::iterator_like I, algo::offsets_like S, class Before = less>
void segmented_sort(const I& first, const I& last, const S& offsets, const Before& before = {},
                    call_site here = call_site::current()) {
  segmented_sort(algo::range_between(first, last), offsets, before, here);
}

}  // namespace tessera
