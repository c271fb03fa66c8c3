#include "tessera/linop/node/restriction.h"

#include <algorithm>

#include "tessera/base/index.h"

namespace tessera::linop {
namespace {

axis_ranges combined(const axis_ranges& inner, const axis_ranges& outer) {
  axis_ranges made = inner;
  for (std::size_t k = 0; k < made.size(); ++k) {
    if (!outer[k]) continue;
    if (!made[k])
      made[k] = outer[k];
    else
      made[k] = axis_range{outer[k]->lo + made[k]->lo, outer[k]->lo + made[k]->hi, outer[k]->whole};
  }
  return made;
}

}  // namespace

bool restriction::is_whole() const {
  const auto none = [](const axis_ranges& list) {
    return std::none_of(list.begin(), list.end(), [](const auto& r) { return r.has_value(); });
  };
  return none(in) && none(out);
}

restriction restriction::within(const restriction& outer) const {
  return {combined(in, outer.in), combined(out, outer.out)};
}

std::optional<axis_range> restriction::of(const dim& d, const signature& s, bool& differs) const {
  const int at_in = place_of(d, s.in), at_out = place_of(d, s.out);
  if (at_in >= 0 && at_out >= 0 && !(in[index(at_in)] == out[index(at_out)])) differs = true;
  return at_out >= 0 ? out[index(at_out)] : in[index(at_in)];
}

}  // namespace tessera::linop
