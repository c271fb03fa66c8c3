#include "tessera/base/geometry/block_boxes.h"

#include <algorithm>

#include "tessera/base/checked.h"
#include "tessera/base/index.h"

namespace tessera {
namespace {

constexpr int block_axes = block_boxes::block_axes;

std::int64_t value(const block_boxes::bound& b, const extents& block,
                   const std::array<std::int64_t, block_axes>& limit) {
  std::int64_t sum = b.constant;
  for (int k = 0; k < block_axes; ++k) {
    sum += b.factor[index(k)] * block[k];
    if (block[k] == limit[index(k)] - 1) sum += b.at_limit[index(k)];
  }
  return sum;
}

block_boxes::range clipped(std::int64_t lo, std::int64_t hi, const block_boxes::axis& a) {
  if (lo < 0) lo += ceil_div(-lo, a.step) * a.step;
  hi = std::min(hi, a.extent);
  if (hi > lo) hi -= (hi - 1 - lo) % a.step;
  return {lo, hi};
}

bool is_constant(const block_boxes::bound& b) {
  const auto zero = [](std::int64_t x) { return x == 0; };
  return std::all_of(b.factor.begin(), b.factor.end(), zero) && std::all_of(b.at_limit.begin(), b.at_limit.end(), zero);
}

}  // namespace

block_boxes block_boxes::uniform(const box& elements) {
  block_boxes result;
  for (int a = 0; a < elements.rank(); ++a)
    result.axes.push_back({{elements.lo[a], {}, {}}, {elements.hi[a], {}, {}}, elements.hi[a], 1, nullptr});
  return result;
}

box block_boxes::of(const extents& block) const {
  const int rank = static_cast<int>(axes.size());
  const box none(extents::uniform(rank, 0), extents::uniform(rank, 0));
  for (int k = 0; k < block_axes; ++k)
    if (block[k] >= limit[index(k)]) return none;
  box result = none;
  for (int a = 0; a < rank; ++a) {
    const axis& here = axes[index(a)];
    range r;
    if (here.listed) {
      std::int64_t entry = 0;
      for (int k = 0; k < block_axes; ++k)
        entry += (block[k] - here.listed->first[index(k)]) * here.listed->stride[index(k)];
      r = here.listed->ranges[index(entry)];
    } else {
      r = clipped(value(here.lo, block, limit), value(here.hi, block, limit), here);
    }
    if (r.hi <= r.lo) return none;
    result.lo[a] = r.lo;
    result.hi[a] = r.hi;
  }
  return result;
}

bool block_boxes::is_uniform() const {
  if (std::any_of(limit.begin(), limit.end(), [](std::int64_t n) { return n != no_limit; })) return false;
  return std::all_of(axes.begin(), axes.end(), [](const axis& a) {
    return a.listed ? a.listed->ranges.size() == 1 : is_constant(a.lo) && is_constant(a.hi);
  });
}

}  // namespace tessera
