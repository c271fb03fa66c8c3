#pragma once

#include <cstdint>
#include <vector>

#include "tessera/algo/algorithm/bounds.h"
#include "tessera/algo/algorithm/compact/kept.h"
#include "tessera/algo/algorithm/gather.h"
#include "tessera/algo/exec/routes/parts.h"

/// Which elements of a sorted range have a partner in another one, as the set operations ask it.
namespace tessera::algo {

/// Elements lo <= i < hi of a sorted range, which `device` has, and what it reads to look for their partners: of the
/// range itself from `own_lo` on, since equal elements in front of them have partners of their own, of the other range
/// what lies between the bounds of the first and the last of them.
struct partner_search {
  std::int64_t lo, hi, own_lo, other_lo, other_hi;
  int device;
};
/// The parts that elements of `own` rest in; none where that does not matter, since devices may as well read both
/// ranges: on one device, and where these are small or not vectors.
[[nodiscard]] std::vector<device_part> parts_with_partners(const sequence& own, const sequence& other,
                                                           const context& ctx);
/// Of the first and the last element of each part: the bounds of those that equal them.
[[nodiscard]] std::vector<partner_search> searches_of(const std::vector<device_part>& parts,
                                                      const std::vector<std::int64_t>& own_lower,
                                                      const std::vector<std::int64_t>& other_lower,
                                                      const std::vector<std::int64_t>& other_upper);
/// A container of flags that rests as the parts do.
[[nodiscard]] operand flags_in(const std::vector<device_part>& parts, std::int64_t size, const context& ctx);

/// Flags for x, of type T: true for elements that have a partner in y. Neither is empty.
template <class T, class Before>
[[nodiscard]] sequence have_partner(const sequence& own, const sequence& other, const Before& before, call_site here) {
  const std::int64_t n = own.size;
  return applied_with<has_partner, bool, T, std::int64_t, vec<T>, vec<T>>(
      "tessera::algo::has_partner", before, make_op<T, T>(before, here),
      {own, places(n, here), whole_container(own.given[0], n, here), whole_container(other.given[0], n, here)}, here);
}

/// As above, where several devices have parts of `own`: each reads what its elements are looked for in. A small read
/// tells where that lies.
template <class T, class Before>
[[nodiscard]] sequence have_partner_in_parts(const std::vector<device_part>& parts, const sequence& own,
                                             const sequence& other, const Before& before, const context& ctx,
                                             call_site here) {
  std::vector<std::int64_t> ends;
  for (const device_part& p : parts) ends.push_back(p.lo), ends.push_back(p.hi - 1);
  const lazy<T> x(own), y(other);
  const vector<T> keys = gather(vector<std::int64_t>(ends, ctx), x, here);
  const vector<std::int64_t> own_lower = lower_bound(x, keys, before, here),
                             other_lower = lower_bound(y, keys, before, here),
                             other_upper = upper_bound(y, keys, before, here);
  const operand flags = flags_in(parts, own.size, ctx);
  const op part_has = wrapped("tessera::algo::has_partner", {make_op<T, T>(before, here)}, {},
                              signature_for<bool, T, std::int64_t, vec<T>, vec<T>>(), here);
  for (const partner_search& p :
       searches_of(parts, own_lower.to_host(here), other_lower.to_host(here), other_upper.to_host(here))) {
    const std::int64_t count = p.hi - p.lo;
    const operand out{flags.elements, box({p.lo}, {p.hi})};
    const device_scope owner(p.device);
    if (p.other_lo == p.other_hi) {
      store(views::constant(false, count, here).elements(), out);
      continue;
    }
    const sequence numbers = sequence_of(counting<std::int64_t>(p.lo - p.own_lo, p.hi - p.own_lo), here);
    const sequence read_own = part_of(own, p.own_lo, p.hi), read_other = part_of(other, p.other_lo, p.other_hi);
    store(applied(part_has,
                  {part_of(own, p.lo, p.hi), numbers, whole_container(read_own.given[0], count, here),
                   whole_container(read_other.given[0], count, here)},
                  here),
          out);
  }
  return sequence_of_elements(flags, type_name<bool>(), here);
}

/// The elements of x, of type T, that have a partner in y, or have none.
template <class T, class Before>
[[nodiscard]] emission kept_with_partner(const char* algorithm, const sequence& x, const sequence& y,
                                         const Before& before, bool wanted, const context& ctx, call_site here) {
  if (x.size == 0 || y.size == 0)
    return emission(algorithm, sequence_of(views::constant(false, x.size, here), here), wanted, ctx, here);
  const sequence own = stored_elements(x), other = stored_elements(y);
  if constexpr (!is_host_callable<Before>) {
    const std::vector<device_part> parts = parts_with_partners(own, other, ctx);
    if (!parts.empty())
      return emission(algorithm, have_partner_in_parts<T>(parts, own, other, before, ctx, here), wanted, ctx, here);
  }
  // Looked for once, asked twice.
  return emission(algorithm, stored_elements(have_partner<T>(own, other, before, here)), wanted, ctx, here);
}

}  // namespace tessera::algo
