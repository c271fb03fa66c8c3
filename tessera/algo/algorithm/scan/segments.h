#pragma once

#include <cstdint>

#include "tessera/algo/algorithm/scan/scanned.h"
#include "tessera/algo/device/algorithms.h"
#include "tessera/algo/view/views.h"

namespace tessera::algo {

/// A flag of type bool for each key of type K: true for the first one of neighbours that `same` holds for. Computed
/// where they are used; `same` is applied first if it runs on the host.
template <class K, class Same>
[[nodiscard]] sequence heads_of(const sequence& keys, const Same& same, call_site here) {
  const std::int64_t n = keys.size;
  if constexpr (is_host_callable<Same>) {
    if (n < 2) return sequence_of(views::constant(true, n, here), here);
    using B = call_result_t<Same, K, K>;
    const sequence like = applied_to<K, K>(same, {part_of(keys, 0, n - 1), part_of(keys, 1, n)}, here);
    return applied_by<bool, B, std::int64_t>("tessera::algo::unlike_before", {}, {previous(like, n), places(n, here)},
                                             here);
  } else {
    const op head = wrapped("tessera::algo::is_head", {make_op<K, K>(same, here)}, {},
                            signature_for<bool, K, K, std::int64_t>(), here);
    return applied(head, {previous(keys, n), keys, places(n, here)}, here);
  }
}

/// The operator that combines values of type V within segments, for values with a head.
template <class V, class G>
[[nodiscard]] op combined_within_segments(const G& combine, call_site here) {
  using pair = headed<V>;
  if constexpr (is_host_callable<G>) {
    using within = combined_within<std::remove_cvref_t<decltype(*combine.function())>>;
    return host_op<pair, pair>(std::make_shared<const within>(within{*combine.function()}), combine.kernels(),
                               combine.number());
  } else {
    return wrapped("tessera::algo::combined_within", {make_op<V, V>(combine, here)}, {},
                   signature_for<pair, pair, pair>(), here);
  }
}

/// The running combination of values with heads, of type headed<V>, from each head on; written to `to`, whose elements
/// are of type To.
template <class V, class To, class G>
void scan_headed(const sequence& all, const G& combine, const operand& to, call_site here) {
  using pair = headed<V>;
  sequence elements = all;
  scan_form_of_values form{combined_within_segments<V>(combine, here), {}, {}};
  if constexpr (is_host_callable<G>) {
    elements = stored_elements(all);
    elements.function = make_op_beside<G, pair>(identity(), here);
    form.last = make_op_beside<G, pair>(value_as<To>(), here);
  } else {
    form.last = wrapped("tessera::algo::value_as", {}, {type_name<To>()}, signature_for<To, pair>(), here);
  }
  store_scan(elements, form, to);
}

/// Scans by key. `heads` are flags of type bool, true for the first element of a segment; `values` are of type V, the
/// elements of `to` of type To. Of each value the combination of its segment up to it is written.
template <class V, class To, class G>
void inclusive_scan_within(const sequence& heads, const sequence& values, const G& combine, const operand& to,
                           call_site here) {
  check_associative<V>("scan", values, combine, here);
  scan_headed<V, To>(applied_by<headed<V>, bool, V>("tessera::algo::make_headed", {}, {heads, values}, here), combine,
                     to, here);
}
/// As above; of each value that of `start` and what its segment has before it.
template <class V, class To, class G>
void exclusive_scan_within(const sequence& heads, const sequence& values, const V& start, const G& combine,
                           const operand& to, call_site here) {
  check_associative<V>("scan", values, combine, here);
  const sequence first = views::constant(start, values.size, here).elements();
  scan_headed<V, To>(applied_by<headed<V>, bool, V, V>("tessera::algo::make_headed_behind", {},
                                                       {heads, previous(values, values.size), first}, here),
                     combine, to, here);
}

}  // namespace tessera::algo
