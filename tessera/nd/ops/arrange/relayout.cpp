#include "tessera/nd/ops/arrange/relayout.h"

#include <iterator>
#include <numeric>

#include "tessera/nd/graph/record.h"
#include "tessera/nd/ops/apply.h"
#include "tessera/nd/refuse.h"

namespace tessera::nd {

array resplit(const array& a, const layout& wanted, call_site here) {
  const layout placement = wanted.resolved(a.rank(here), here);
  return {a.owner(), record_copy(*a.owner(), a.expression(here), placement, here)};
}

array redistribute(const array& a, const distribution& wanted, call_site here) {
  a.require_assigned(here);
  return resplit(a, layout(wanted, a.shape(here), a.owner()->devices()), here);
}

namespace {

/// Slabs along an axis, one for each device.
class counted_slabs final : public distribution {
 public:
  counted_slabs(std::span<const std::int64_t> counts, int axis) : counts_(counts), axis_(axis) {}

  [[nodiscard]] plan::layout parts(const extents& shape, int) const override {
    plan::layout made;
    made.form = plan::layout::kind::listed;
    std::int64_t from = 0;
    for (std::size_t device = 0; device < counts_.size(); ++device) {
      box part{extents::uniform(shape.rank(), 0), shape};
      part.lo[axis_] = from;
      part.hi[axis_] = from += counts_[device];
      if (part.volume() > 0) made.parts.push_back({part, static_cast<int>(device), std::ssize(made.parts)});
    }
    return made;
  }

 private:
  std::span<const std::int64_t> counts_;
  int axis_;
};

}  // namespace

array redistribute(const array& a, std::span<const std::int64_t> counts, int axis, call_site here) {
  const int along = resolve_axis(axis, a.rank(here), here);
  const int devices = a.owner()->devices();
  if (std::ssize(counts) != devices)
    refuse(here, "redistribute: ", counts.size(), " numbers of elements for ", devices, " devices");
  for (const std::int64_t count : counts)
    if (count < 0) refuse(here, "redistribute: ", count, " elements for a device");
  const std::int64_t sum = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  if (sum != a.shape()[along])
    refuse(here, "redistribute: ", sum, " elements for axis ", along, " of ", a.shape()[along]);
  return redistribute(a, counted_slabs(counts, along), here);
}

array balance(const array& a, call_site here) { return resplit(a, a.split(here).balanced(a.shape()), here); }

}  // namespace tessera::nd
