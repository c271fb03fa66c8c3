#include "tessera/device/cuda/result_wave.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "tessera/base/index.h"

namespace tessera::device::cuda {
namespace {

constexpr int block_axes = block_boxes::block_axes;
constexpr std::int64_t few_items = 32;
constexpr std::int64_t most_shared = 128;  // bytes of an element: private_kernels.cu keeps 256 of them
constexpr std::int64_t parallel_items = std::int64_t{1} << 16;  // threads that fill a GPU
constexpr std::int64_t least_run = 32;

tessera_bound bound_of(const block_boxes::bound& b) {
  tessera_bound result{};
  result.constant = b.constant;
  for (int k = 0; k < block_axes; ++k) result.factor[k] = b.factor[index(k)], result.at_limit[k] = b.at_limit[index(k)];
  return result;
}

/// The wave as a box of blocks, and what the boxes of its blocks have in common.
class planned_wave {
 public:
  planned_wave(const private_result& result, const extents& begin, const extents& end)
      : boxes_(result.elements), begin_(begin), end_(end), rank_(static_cast<int>(result.elements.axes.size())) {}

  /// Block axes on which the bounds of an axis of the array depend.
  [[nodiscard]] std::array<bool, block_axes> axes_of(const block_boxes::axis& a) const {
    std::array<bool, block_axes> used{};
    for (int k = 0; k < block_axes; ++k) {
      const bool limited = boxes_.limit[index(k)] != block_boxes::no_limit;
      const auto moves = [&](const block_boxes::bound& b) {
        return b.factor[index(k)] != 0 || (limited && b.at_limit[index(k)] != 0);
      };
      used[index(k)] = a.listed ? a.listed->stride[index(k)] != 0 : moves(a.lo) || moves(a.hi);
    }
    return used;
  }

  /// Those of all axes; a limit, too, tells blocks apart.
  [[nodiscard]] std::array<bool, block_axes> used_axes() const {
    std::array<bool, block_axes> used{};
    for (int k = 0; k < block_axes; ++k) used[index(k)] = boxes_.limit[index(k)] < end_[k];
    for (const block_boxes::axis& a : boxes_.axes)
      for (int k = 0; k < block_axes; ++k) used[index(k)] = used[index(k)] || axes_of(a)[index(k)];
    for (int k = 0; k < block_axes; ++k) used[index(k)] = used[index(k)] && blocks(k) > 1;
    return used;
  }

  /// The least lo, the greatest hi and the greatest extent on one axis of the array.
  struct reach {
    std::int64_t lo = 0, hi = 0, extent = 0;
  };
  [[nodiscard]] reach reach_of(int a) const {
    const block_boxes::axis& axis = boxes_.axes[index(a)];
    reach all{axis.extent, 0, 0};
    const auto add = [&](std::int64_t lo, std::int64_t hi) {
      lo = std::max<std::int64_t>(lo, 0), hi = std::min(hi, axis.extent);
      if (hi <= lo) return;
      all = {std::min(all.lo, lo), std::max(all.hi, hi), std::max(all.extent, hi - lo)};
    };
    if (axis.listed) {
      for (const block_boxes::range& r : axis.listed->ranges) add(r.lo, r.hi);
    } else {
      // Without limits bounds are linear in the block index, and limits only take elements away: the extremes of each
      // bound and of their difference lie at corners.
      for (int corner = 0; corner < 1 << block_axes; ++corner) {
        const auto [lo, hi] = corner_range(axis, corner);
        all.lo = std::min(all.lo, std::max<std::int64_t>(lo, 0));
        all.hi = std::max(all.hi, std::min(hi, axis.extent));
        all.extent = std::max(all.extent, std::min(hi - lo, axis.extent));
      }
    }
    if (all.hi <= all.lo) return {};
    return all;
  }

  /// True if blocks that differ on a used axis surely declare disjoint boxes.
  [[nodiscard]] bool is_disjoint() const {
    std::array<bool, block_axes> apart{};
    for (int a = 0; a < rank_; ++a) {
      const block_boxes::axis& axis = boxes_.axes[index(a)];
      if (axis.listed || axis.lo.factor != axis.hi.factor) continue;
      // Positions on this axis are told apart as digits are: each factor is at least what the smaller ones reach.
      std::vector<int> order;
      for (int k = 0; k < block_axes; ++k)
        if (axis.lo.factor[index(k)] != 0 && blocks(k) > 1) order.push_back(k);
      const auto factor = [&](int k) { return std::abs(axis.lo.factor[index(k)]); };
      std::sort(order.begin(), order.end(), [&](int p, int q) { return factor(p) < factor(q); });
      std::int64_t below = axis.hi.constant - axis.lo.constant;
      bool digits = true;
      for (const int k : order) {
        digits = digits && factor(k) >= below;
        below += factor(k) * (blocks(k) - 1);
      }
      for (const int k : order) apart[index(k)] = apart[index(k)] || digits;
    }
    const std::array<bool, block_axes> used = used_axes();
    for (int k = 0; k < block_axes; ++k)
      if (used[index(k)] && !apart[index(k)]) return false;
    return true;
  }

  [[nodiscard]] std::int64_t blocks(int k) const { return end_[k] - begin_[k]; }
  [[nodiscard]] std::int64_t blocks() const { return blocks(0) * blocks(1) * blocks(2); }

  /// The one block axis that affine bounds follow (see tessera_axis).
  [[nodiscard]] int followed(const block_boxes::axis& a) const {
    if (a.listed) return -2;
    int found = -1;
    const std::array<bool, block_axes> used = axes_of(a);
    for (int k = 0; k < block_axes; ++k)
      if (used[index(k)]) found = found == -1 ? k : -2;
    return found;
  }

  /// True if candidates found by `followed` need no second look.
  [[nodiscard]] bool is_exact() const {
    return std::all_of(boxes_.axes.begin(), boxes_.axes.end(), [&](const block_boxes::axis& a) {
      const auto plain = [&](const block_boxes::bound& b) {
        for (int k = 0; k < block_axes; ++k)
          if (boxes_.limit[index(k)] != block_boxes::no_limit && b.at_limit[index(k)] != 0) return false;
        return true;
      };
      return !a.listed && followed(a) != -2 && a.step == 1 && plain(a.lo) && plain(a.hi);
    });
  }

 private:
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> corner_range(const block_boxes::axis& axis, int corner) const {
    std::int64_t lo = axis.lo.constant, hi = axis.hi.constant;
    for (int k = 0; k < block_axes; ++k) {
      const std::int64_t at = (corner >> k & 1) != 0 ? end_[k] - 1 : begin_[k];
      lo += axis.lo.factor[index(k)] * at, hi += axis.hi.factor[index(k)] * at;
    }
    return {lo, hi};
  }

  const block_boxes& boxes_;
  const extents& begin_;
  const extents& end_;
  int rank_;
};

tessera_slots slots_of(const private_result& result, const planned_wave& wave, const extents& begin) {
  tessera_slots s{};
  s.rank = static_cast<int>(result.elements.axes.size());
  std::int64_t span = result.type.size;
  for (int a = 0; a < s.rank; ++a) {
    const block_boxes::axis& from = result.elements.axes[index(a)];
    tessera_axis& to = s.axes[a];
    to.lo = bound_of(from.lo), to.hi = bound_of(from.hi);
    to.extent = from.extent, to.step = from.step, to.stride = result.strides[a];
    to.follows = wave.followed(from);
    for (int k = 0; from.listed && k < block_axes; ++k)
      to.listed_first[k] = from.listed->first[index(k)], to.listed_stride[k] = from.listed->stride[index(k)];
    span += std::max<std::int64_t>(wave.reach_of(a).extent - 1, 0) * result.strides[a];
  }
  for (int k = 0; k < block_axes; ++k) {
    s.first[k] = static_cast<unsigned>(begin[k]);
    s.count[k] = static_cast<unsigned>(wave.blocks(k));
    s.limit[k] = result.elements.limit[index(k)];
  }
  s.origin = reinterpret_cast<std::uintptr_t>(result.origin);
  // Small results lie close together; 16 bytes are what the widest access of a thread wants.
  s.alignment = span <= 64 && result.type.alignment <= 16 ? 16 : 256;
  s.bytes = (span + 2 * s.alignment - 1 - std::min<std::int64_t>(result.type.size, 16)) / s.alignment * s.alignment;
  return s;
}

}  // namespace

wave_result plan_wave(const private_result& result, const extents& begin, const extents& end, bool in_order) {
  const planned_wave wave(result, begin, end);
  wave_result w;
  w.slots = slots_of(result, wave, begin);
  w.slot_elements = 1;
  w.element_bytes = result.type.size;
  tessera_combination& c = w.combination;
  std::int64_t hull = 1;
  for (int a = 0; a < w.slots.rank; ++a) {
    const planned_wave::reach r = wave.reach_of(a);
    w.slot_elements *= r.extent;
    c.lo[a] = r.lo, c.count[a] = r.hi - r.lo;
    hull *= c.count[a];
  }
  const std::array<bool, block_axes> used = wave.used_axes();
  std::int64_t groups = 1;
  for (int k = 0; k < block_axes; ++k) {
    c.used[k] = used[index(k)] ? 1 : 0;
    if (used[index(k)]) groups *= wave.blocks(k);
  }
  c.by_group = wave.is_disjoint() ? 1 : 0;
  c.exact = c.by_group != 0 || wave.is_exact() ? 1 : 0;
  c.box_elements = std::max<std::int64_t>(w.slot_elements, 1);
  c.items = c.by_group != 0 ? groups * w.slot_elements : hull;
  c.op = static_cast<int>(result.op);
  c.in_order = in_order ? 1 : 0;
  // Blocks that one item looks at: those of the free axes, and by element those of axes that are not narrowed.
  std::int64_t depth = wave.blocks() / groups;
  if (c.exact == 0)
    for (int k = 0; k < block_axes; ++k) {
      const auto narrows = [&](const tessera_axis& a) { return a.follows == k; };
      if (used[index(k)] && std::none_of(w.slots.axes, w.slots.axes + w.slots.rank, narrows)) depth *= wave.blocks(k);
    }
  w.candidates = static_cast<double>(c.items) * static_cast<double>(depth);
  c.runs = 1;
  if (!in_order && c.items > 0) {
    const std::int64_t wanted = has_few_items(w) ? (depth + 4095) / 4096 : parallel_items / c.items;
    c.runs = std::clamp<std::int64_t>(wanted, 1, std::max<std::int64_t>(depth / least_run, 1));
  }
  w.partial_bytes = c.runs > 1 ? c.runs * c.items * static_cast<std::int64_t>(result.type.size) : 0;
  return w;
}

unsigned slot_lanes(const wave_result& wave) {
  unsigned lanes = 1;
  while (lanes < 65536 && lanes < wave.slot_elements) lanes *= 2;
  return lanes;
}

bool has_few_items(const wave_result& wave) {
  return wave.element_bytes <= most_shared &&
         wave.combination.items <= (wave.combination.in_order != 0 ? 4096 : few_items);
}

}  // namespace tessera::device::cuda
