#include "tessera/algo/algorithm/compact/partners.h"

#include <algorithm>

#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/emit/emit_parts.h"

namespace tessera::algo {

std::vector<device_part> parts_with_partners(const sequence& own, const sequence& other, const context& ctx) {
  constexpr std::int64_t little = 65536;  // bytes, which move in less time than places are found out
  if (has_one_device(ctx)) return {};
  for (const sequence* each : {&own, &other})
    if (!is_plain(*each) || each->given[0].elements.shape().rank() != 1) return {};
  if ((own.size + other.size) * own.given[0].element.size <= little) return {};
  std::vector<device_part> parts = parts_of(own.given[0].elements);
  return parts.size() > 1 ? parts : std::vector<device_part>();
}

std::vector<partner_search> searches_of(const std::vector<device_part>& parts,
                                        const std::vector<std::int64_t>& own_lower,
                                        const std::vector<std::int64_t>& other_lower,
                                        const std::vector<std::int64_t>& other_upper) {
  std::vector<partner_search> made;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    // What is not sorted after all must not be looked for outside of the ranges.
    const std::int64_t own_lo = std::min(own_lower[2 * k], parts[k].lo), other_lo = other_lower[2 * k];
    made.push_back(
        {parts[k].lo, parts[k].hi, own_lo, other_lo, std::max(other_lo, other_upper[2 * k + 1]), parts[k].device});
  }
  return made;
}

operand flags_in(const std::vector<device_part>& parts, std::int64_t size, const context& ctx) {
  std::vector<slab> slabs;
  for (const device_part& p : parts) slabs.push_back({p.lo, p.hi, p.device});
  container_options options(ctx);
  options.home = layout_of(slabs);
  const auto made = std::make_shared<storage>(options, extents{size}, dtype_of<bool>(), std::vector<std::byte>());
  return {made, made->whole()};
}

}  // namespace tessera::algo
