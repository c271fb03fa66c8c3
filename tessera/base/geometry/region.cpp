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

/// Appends the canonical form of the union of `in`, looking at axes from `axis` on: slabs between the cuts of this
/// axis, each in canonical form on the axes that follow, equal neighbours joined.
void append_canonical(const std::vector<box>& in, int axis, std::vector<box>& out) {
  const int rank = in.front().rank();
  if (axis == rank) {
    out.push_back(in.front());
    return;
  }
  std::vector<std::int64_t> cuts;
  for (const box& b : in) {
    cuts.push_back(b.lo[axis]);
    cuts.push_back(b.hi[axis]);
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());

  std::size_t previous = out.size();  // first box of the slab before this one
  std::vector<box> active;
  for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
    active.clear();
    for (const box& b : in)
      if (b.lo[axis] <= cuts[c] && b.hi[axis] >= cuts[c + 1]) active.push_back(b);
    const std::size_t current = out.size();
    if (active.empty()) {
      previous = current;
      continue;
    }
    append_canonical(active, axis + 1, out);
    set_axis(out, current, axis, cuts[c], cuts[c + 1]);
    const std::span<const box> all(out);
    const bool touches = current > previous && out[previous].hi[axis] == cuts[c];
    if (touches && same_cross_section(all.subspan(previous, current - previous), all.subspan(current), axis)) {
      out.resize(current);
      for (std::size_t i = previous; i < current; ++i) out[i].hi[axis] = cuts[c + 1];
    } else {
      previous = current;
    }
  }
}

}  // namespace

region::region(std::vector<box> possibly_overlapping) {
  std::erase_if(possibly_overlapping, [](const box& b) { return b.empty(); });
  if (possibly_overlapping.size() <= 1)
    boxes_ = std::move(possibly_overlapping);
  else
    append_canonical(possibly_overlapping, 0, boxes_);
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
  std::vector<box> parts;
  for (const box& x : a.boxes())
    for (const box& y : b.boxes())
      if (x.overlaps(y)) parts.push_back(intersect(x, y));
  return region(std::move(parts));
}

region subtract(const region& a, const region& b) {
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
