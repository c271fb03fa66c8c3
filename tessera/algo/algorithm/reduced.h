#pragma once

#include <optional>

#include "tessera/algo/algorithm/range.h"
#include "tessera/algo/device/algorithms.h"
#include "tessera/algo/skeleton/reduce.h"

namespace tessera::algo {

/// The elements of `all`, at least one, combined in an order that depends on their number alone.
[[nodiscard]] array_base combined(const sequence& all, const op& combine, const std::string& type,
                                  const dtype& element);

/// The elements of `all`, of type R, combined by `combine`; without elements what the operator says of none, or an
/// `argument_error`.
template <class R, class G>
[[nodiscard]] value<R> reduced(const sequence& all, const G& combine, call_site here) {
  if (all.size == 0) {
    const std::optional<R> nothing = identity_of<G, R>();
    if (!nothing) throw_nothing_to_reduce(here);
    return all.ctx().template full<R>({1}, *nothing, automatic(), here).value(here);
  }
  check_associative<R>("reduce", all, combine, here);
  sequence elements = all;
  if constexpr (is_host_callable<G>) elements = sequence_of(lazy<R>(all).stored(), here);
  const op both = make_op<R, R>(combine, here);
  return array<R>(combined(elements, both, type_name<R>(), dtype_of<R>())).value(here);
}

/// The first place where `holds` is not 0, or is 0; the number of elements if there is none. Waits for it.
[[nodiscard]] std::int64_t first_place_where(const sequence& holds, bool wanted, call_site here);

/// Where the least, or the greatest, of the elements of type T by the order `before` stands, the first one; -1 without
/// elements. Waits for it.
template <class T, class Before>
[[nodiscard]] std::int64_t place_of_extreme(const sequence& all, const char* which, const Before& before,
                                            call_site here) {
  if (all.size == 0) return -1;
  using both = indexed<T>;
  const sequence elements =
      applied_by<both, T, std::int64_t>("tessera::algo::make_indexed", {}, {all, places(all.size, here)}, here);
  const op least = wrapped(which, {make_op<T, T>(before, here)}, {}, signature_for<both, both, both>(), here);
  const both found = array<both>(combined(elements, least, type_name<both>(), dtype_of<both>())).value(here).get(here);
  return found.at;
}

}  // namespace tessera::algo
