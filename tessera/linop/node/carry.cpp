#include "tessera/linop/node/carry.h"

#include <algorithm>

#include "tessera/base/index.h"

namespace tessera::linop {
namespace {

void intersect(std::optional<axis_range>& range, const std::optional<axis_range>& other) {
  if (!other) return;
  if (!range) {
    range = other;
    return;
  }
  range->lo = std::max(range->lo, other->lo);
  range->hi = std::max(range->lo, std::min(range->hi, other->hi));
}

}  // namespace

std::vector<std::size_t> ranks_between(const std::vector<op>& members, std::size_t rank) {
  std::vector<std::size_t> made{rank};
  for (std::size_t k = members.size(); k-- > 0;) {
    const signature& s = (*members[k]).dimensions();
    made.push_back(made.back() - s.in.size() + s.out.size());
  }
  return made;
}

void carry(const dims& from_names, const axis_ranges& from, const dims& to_names, axis_ranges& to) {
  const std::size_t batch = from.size() - from_names.size();
  for (std::size_t k = 0; k < batch; ++k) intersect(to[k], from[k]);
  for (std::size_t k = 0; k < to_names.size(); ++k) {
    const int place = place_of(to_names[k], from_names);
    if (place >= 0) intersect(to[batch + k], from[batch + index(place)]);
  }
}

axis_ranges last_of(const axis_ranges& ranges, std::size_t count) {
  return {ranges.end() - static_cast<std::ptrdiff_t>(count), ranges.end()};
}

}  // namespace tessera::linop
