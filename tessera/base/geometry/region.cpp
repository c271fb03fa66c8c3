#include "tessera/base/geometry/region.h"

#include <algorithm>

#include "tessera/base/defects.h"

namespace tessera {
namespace {

/// Sets the range of `axis` in every box from `first` on.
void set_axis(std::vector<box>& boxes, std::size_t first, int axis, std::int64_t lo, std::int64_t hi) {
  for (std::size_t i = first; i < boxes.size(); ++i) {
    boxes[i].lo[axis] = lo;
    boxes[i].hi[axis] = hi;
  }
}

/// True if `a` and `b` are equal on all axes after `axis`.
bool same_cross_section(std::span<const box> a, std::span<const box> b, int axis) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int k = axis + 1; k < a[i].rank(); ++k)
      if (a[i].lo[k] != b[i].lo[k] || a[i].hi[k] != b[i].hi[k]) return false;
  return true;
}

/// Which points of two sets are kept.
enum class choice { either, both, first_only };

struct interval {
  std::int64_t lo, hi;
};

/// The union of the boxes' ranges on their last axis: disjoint, ascending, none touching the next.
std::vector<interval> joined_ranges(std::span<const box> boxes, int axis) {
  std::vector<interval> ranges;
  ranges.reserve(boxes.size());
  for (const box& b : boxes) ranges.push_back({b.lo[axis], b.hi[axis]});
  std::sort(ranges.begin(), ranges.end(), [](const interval& a, const interval& b) { return a.lo < b.lo; });
  std::size_t kept = 0;
  for (const interval& r : ranges) {
    if (kept > 0 && r.lo <= ranges[kept - 1].hi)
      ranges[kept - 1].hi = std::max(ranges[kept - 1].hi, r.hi);
    else
      ranges[kept++] = r;
  }
  ranges.resize(kept);
  return ranges;
}

/// The parts of `a` inside or outside `b`; both as `joined_ranges` gives them.
std::vector<interval> selected(const std::vector<interval>& a, const std::vector<interval>& b, choice keep) {
  if (keep == choice::either) return a;
  std::vector<interval> out;
  std::size_t first = 0;
  for (const interval& x : a) {
    while (first < b.size() && b[first].hi <= x.lo) ++first;
    std::int64_t next = x.lo;  // where what has not been looked at begins
    for (std::size_t i = first; i < b.size() && b[i].lo < x.hi; ++i) {
      const std::int64_t lo = std::max(x.lo, b[i].lo), hi = std::min(x.hi, b[i].hi);
      if (keep == choice::both) out.push_back({lo, hi});
      if (keep == choice::first_only && next < lo) out.push_back({next, lo});
      next = hi;
    }
    if (keep == choice::first_only && next < x.hi) out.push_back({next, x.hi});
  }
  return out;
}

/// Walks along one axis from slab to slab and knows the boxes that reach through the slab: a sort of all boxes, then
/// work in proportion to what each slab holds.
class sweep {
 public:
  sweep(std::span<const box> boxes, int axis) : waiting_(boxes.begin(), boxes.end()), axis_(axis) {
    std::sort(waiting_.begin(), waiting_.end(), [&](const box& a, const box& b) { return a.lo[axis] > b.lo[axis]; });
  }
  void append_cuts(std::vector<std::int64_t>& cuts) const {
    for (const box& b : waiting_) {
      cuts.push_back(b.lo[axis_]);
      cuts.push_back(b.hi[axis_]);
    }
  }
  /// Goes on to the slab that begins at `cut`.
  void advance(std::int64_t cut) {
    std::erase_if(active_, [&](const box& b) { return b.hi[axis_] <= cut; });
    for (; !waiting_.empty() && waiting_.back().lo[axis_] <= cut; waiting_.pop_back())
      active_.push_back(waiting_.back());
  }
  [[nodiscard]] std::span<const box> active() const { return active_; }

 private:
  std::vector<box> waiting_;  // the next one last
  std::vector<box> active_;
  int axis_;
};

/// Appends the chosen points of the unions of `a` and `b` in canonical form, looking at axes from `axis` on: slabs
/// between the cuts of this axis, each in canonical form on the axes that follow, equal neighbours joined.
void append_canonical(std::span<const box> a, std::span<const box> b, choice keep, int axis, std::vector<box>& out) {
  if (a.empty() || (keep == choice::both && b.empty())) return;
  if (axis + 1 == a.front().rank()) {
    for (const interval& r : selected(joined_ranges(a, axis), joined_ranges(b, axis), keep)) {
      out.push_back(a.front());
      set_axis(out, out.size() - 1, axis, r.lo, r.hi);
    }
    return;
  }
  sweep first(a, axis), second(b, axis);
  std::vector<std::int64_t> cuts;
  first.append_cuts(cuts);
  second.append_cuts(cuts);
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());

  std::size_t previous = out.size();  // first box of the slab before this one
  for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
    first.advance(cuts[c]);
    second.advance(cuts[c]);
    const std::size_t current = out.size();
    append_canonical(first.active(), second.active(), keep, axis + 1, out);
    set_axis(out, current, axis, cuts[c], cuts[c + 1]);
    const std::span<const box> all(out);
    const bool touches = out.size() > current && current > previous && out[previous].hi[axis] == cuts[c];
    if (touches && same_cross_section(all.subspan(previous, current - previous), all.subspan(current), axis)) {
      out.resize(current);
      for (std::size_t i = previous; i < current; ++i) out[i].hi[axis] = cuts[c + 1];
    } else {
      previous = current;
    }
  }
}

/// Up to this many pairs of boxes are compared one by one, which is faster than to sort them.
constexpr std::size_t few_pairs = 32;

}  // namespace

region::region(std::vector<box> possibly_overlapping) {
  std::erase_if(possibly_overlapping, [](const box& b) { return b.empty(); });
  if (possibly_overlapping.size() <= 1)
    boxes_ = std::move(possibly_overlapping);
  else if (possibly_overlapping.front().rank() == 0)
    boxes_.push_back(possibly_overlapping.front());
  else
    append_canonical(possibly_overlapping, {}, choice::either, 0, boxes_);
}

region region::chosen(std::span<const box> a, std::span<const box> b, bool inside) {
  region result;
  append_canonical(a, b, inside ? choice::both : choice::first_only, 0, result.boxes_);
  return result;
}

std::int64_t region::volume() const {
  std::int64_t sum = 0;
  for (const box& b : boxes_) sum += b.volume();
  return sum;
}

box region::bounds() const {
  box result = boxes_.front();
  for (const box& b : boxes_) result = hull(result, b);
  return result;
}

bool region::contains(const box& b) const { return subtract(region(b), *this).empty(); }

bool region::overlaps(const box& b) const {
  return std::any_of(boxes_.begin(), boxes_.end(), [&](const box& mine) { return mine.overlaps(b); });
}

region unite(const region& a, const region& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  std::vector<box> all(a.boxes().begin(), a.boxes().end());
  all.insert(all.end(), b.boxes().begin(), b.boxes().end());
  return region(std::move(all));
}

region intersect(const region& a, const region& b) {
  if (a.boxes().size() * b.boxes().size() > few_pairs) return region::chosen(a.boxes(), b.boxes(), true);
  std::vector<box> parts;
  for (const box& x : a.boxes())
    for (const box& y : b.boxes())
      if (x.overlaps(y)) parts.push_back(intersect(x, y));
  return region(std::move(parts));
}

region subtract(const region& a, const region& b) {
  if (b.empty()) return a;
  if (a.boxes().size() * b.boxes().size() > few_pairs && !planted("box_lost"))
    return region::chosen(a.boxes(), b.boxes(), false);
  std::vector<box> left(a.boxes().begin(), a.boxes().end());
  std::vector<box> next;
  for (const box& hole : b.boxes()) {
    next.clear();
    for (const box& x : left) subtract(x, hole, next);
    left.swap(next);
  }
  return region(std::move(left));
}

void subtract(const box& a, const box& b, std::vector<box>& out) {
  if (!a.overlaps(b)) {
    if (!a.empty()) out.push_back(a);
    return;
  }
  box rest = a;
  for (int k = 0; k < a.rank(); ++k) {
    if (rest.lo[k] < b.lo[k]) {
      box below = rest;
      below.hi[k] = b.lo[k];
      out.push_back(below);
      rest.lo[k] = b.lo[k];
    }
    if (rest.hi[k] > b.hi[k] && !(planted("box_lost") && k + 1 == a.rank())) {
      box above = rest;
      above.lo[k] = b.hi[k];
      out.push_back(above);
      rest.hi[k] = b.hi[k];
    }
  }
}

std::string to_string(const region& r) {
  if (r.empty()) return "nothing";
  std::string text;
  for (const box& b : r.boxes()) {
    if (!text.empty()) text += " + ";
    text += to_string(b);
  }
  return text;
}

}  // namespace tessera
