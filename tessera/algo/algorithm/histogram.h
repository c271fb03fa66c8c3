#pragma once

#include <cstdint>
#include <vector>

#include "tessera/algo/algorithm/range.h"
#include "tessera/algo/device/search.h"
#include "tessera/algo/view/views.h"

/// How many elements fall into each of some bins, in a new vector. Elements are counted where they rest, and the counts
/// of devices meet: 8 bytes per bin and device. Returns at once.
namespace tessera {
namespace algo {

/// Throws `argument_error` unless there are bins from `lo` to a greater `hi`.
void require_bins(std::int64_t bins, bool ascends, call_site here);
/// The counts of `bins` bins, of elements that are numbers of bins.
[[nodiscard]] vector<std::int64_t> counts_of(const sequence& numbers, std::int64_t bins, const context& ctx,
                                             call_site here);

}  // namespace algo

/// Bin k of `bins` bins of one width has the elements that are at least `lo` + k * (`hi` - `lo`) / `bins` and below
/// that of the next one, computed in double. Elements below `lo`, from `hi` on, and NaN count nowhere.
template <algo::range_like R>
[[nodiscard]] vector<std::int64_t> histogram(const R& range, std::int64_t bins,
                                             std::type_identity_t<algo::element_t<R>> lo,
                                             std::type_identity_t<algo::element_t<R>> hi,
                                             call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  static_assert(std::is_arithmetic_v<T>, "a histogram of even bins counts numbers; give limits of structs");
  algo::require_bins(bins, lo < hi, here);
  const algo::sequence all = algo::sequence_of(range, here);
  const double per_unit = static_cast<double>(bins) / (static_cast<double>(hi) - static_cast<double>(lo));
  const auto same = [&](auto value) { return views::constant(value, all.size, here).elements(); };
  return algo::counts_of(
      algo::applied_by<std::int64_t, T, T, T, double, std::int64_t>(
          "tessera::algo::even_bin", {}, {all, same(lo), same(hi), same(per_unit), same(bins)}, here),
      bins, all.ctx(), here);
}
template <algo::iterator_like I>
[[nodiscard]] vector<std::int64_t> histogram(const I& first, const I& last, std::int64_t bins,
                                             const algo::element_t<I>& lo, const algo::element_t<I>& hi,
                                             call_site here = call_site::current()) {
  return histogram(algo::between(first, last, here), bins, lo, hi, here);
}

/// Bin k has the elements that are before `limits[k]` and not before `limits[k - 1]`, by `<` unless an order is given;
/// the limits ascend. Elements that are not before the last limit count nowhere.
template <algo::range_like R, algo::container_like Limits, algo::not_a_range Before = less>
[[nodiscard]] vector<std::int64_t> histogram(const R& range, const Limits& limits, const Before& before = {},
                                             call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  using L = algo::element_t<Limits>;
  const algo::sequence all = algo::sequence_of(range, here), upper = algo::sequence_of(limits, here);
  const context ctx = algo::context_of_all({all, upper});
  if (all.size == 0 || upper.size == 0) return vector<std::int64_t>(upper.size, 0, ctx);
  const algo::sequence bins = algo::applied_with<algo::upper_place, std::int64_t, vec<L>, T>(
      "tessera::algo::upper_place", before, algo::make_op<T, L>(before, here),
      {algo::whole_container(upper.given[0], all.size, here), all}, here);
  return algo::counts_of(bins, upper.size, ctx, here);
}
template <algo::iterator_like I, algo::container_like Limits, algo::not_a_range Before = less>
[[nodiscard]] vector<std::int64_t> histogram(const I& first, const I& last, const Limits& limits,
                                             const Before& before = {}, call_site here = call_site::current()) {
  return histogram(algo::between(first, last, here), limits, before, here);
}

}  // namespace tessera
