#pragma once

#include <tuple>
#include <utility>

#include "tessera/algo/device/algorithms.h"
#include "tessera/algo/skeleton/outputs.h"
#include "tessera/algo/view/sequence.h"

namespace tessera {
namespace algo {

/// Several ranges side by side: what `views::zip` gives. Algorithms take the elements of all of them as one
/// `ts::pair` or `ts::tuple`; `views::transform` gives them to a function of as many parameters.
template <class... T>
struct zipped {
  std::vector<sequence> all;
  [[nodiscard]] std::int64_t size() const { return all[0].size; }
};
template <class X>
inline constexpr bool is_zipped = false;
template <class... T>
inline constexpr bool is_zipped<zipped<T...>> = true;

/// What stands behind `|`: a view of the range in front of it.
template <class Make>
struct adaptor {
  Make make;
};
template <class Make>
adaptor(Make) -> adaptor<Make>;

template <class F, class... T>
[[nodiscard]] auto transformed(const F& f, const zipped<T...>& of, call_site here) {
  using R = call_result_t<F, T...>;
  static_assert(result_count<R> == 1, "a view has one element per index: return a struct instead of a ts::tuple");
  return lazy<R>(applied_to<T...>(f, of.all, here));
}
template <class F, range_like R>
[[nodiscard]] auto transformed(const F& f, const R& of, call_site here) {
  return transformed(f, zipped<element_t<R>>{{sequence_of(of, here)}}, here);
}

template <class R, class Make>
requires(range_like<R> || is_zipped<R>) [[nodiscard]] auto operator|(const R& range, const adaptor<Make>& view) {
  return view.make(range);
}

}  // namespace algo

/// Ranges that are computed where they are used: a chain of views is one launch together with the algorithm that takes
/// it. `ts::views::zip(x, y) | ts::views::transform(f)`.
namespace views {

/// first, first + 1, ..., last - 1.
using tessera::counting;

/// `count` times `value`.
template <class T>
[[nodiscard]] lazy<T> constant(const T& value, std::int64_t count, call_site here = call_site::current()) {
  const algo::op first =
      algo::wrapped("tessera::algo::first_of", {}, {}, algo::signature_for<T, T, std::int64_t>(), here);
  algo::sequence made{first, {algo::input_of(value).argument}, count, here};
  made.given.push_back(algo::places(count, here).given[0]);
  return lazy<T>(std::move(made));
}
/// The ranges side by side; they have one size.
template <algo::range_like... R>
[[nodiscard]] auto zip(const R&... ranges) {
  const call_site here = call_site::current();
  return algo::zipped<algo::element_t<R>...>{{algo::sequence_of(ranges, here)...}};
}
/// `f` of each element, or of each element of several zipped ranges.
template <class F>
[[nodiscard]] auto transform(F f, call_site here = call_site::current()) {
  return algo::adaptor{[f = std::move(f), here](const auto& range) { return algo::transformed(f, range, here); }};
}
/// The last element first.
template <algo::range_like R>
[[nodiscard]] auto reverse(const R& range, call_site here = call_site::current()) {
  return lazy<algo::element_t<R>>(algo::reversed(algo::sequence_of(range, here)));
}
/// Element i is element i + `by`; value-initialised where there is none.
template <algo::range_like R>
[[nodiscard]] auto shifted(const R& range, std::int64_t by, call_site here = call_site::current()) {
  return lazy<algo::element_t<R>>(algo::shifted(algo::sequence_of(range, here), by));
}
/// Element i is `source[places[i]]`. Every device that computes elements reads all of `source`; `ts::gather` moves only
/// the elements that are asked for.
template <algo::container_like S, algo::range_like R>
[[nodiscard]] auto permuted(const S& source, const R& places, call_site here = call_site::current()) {
  using T = algo::element_t<S>;
  const algo::op pick =
      algo::wrapped("tessera::algo::element_at", {}, {}, algo::signature_for<T, vec<T>, algo::element_t<R>>(), here);
  const algo::sequence at = algo::sequence_of(places, here);
  return lazy<T>(
      algo::applied(pick, {algo::whole_container(algo::input_of(source).argument, at.size, here), at}, here));
}

}  // namespace views
}  // namespace tessera
