#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "tessera/base/defects.h"
#include "tessera/base/geometry/box.h"
#include "tessera/base/geometry/slab_list.h"

namespace tessera {

/// A value for every point of a box, stored per box of equal values. Lookup and update take time logarithmic in the
/// number of cuts of each axis plus what is touched; equal neighbours are joined, so state stays as small as the
/// picture it describes. `Value` is copyable and equality comparable. Rank 1 to 8.
///
/// The points are cut into slabs along the first axis, each slab along the second, and so on.
template <class Value>
class region_map {
 public:
  region_map(const box& domain, Value initial) : domain_(domain) {
    if (!domain_.empty()) root_ = make_level(0, std::move(initial));
  }

  [[nodiscard]] const box& domain() const { return domain_; }

  /// Calls visit(const box&, const Value&) for each stored piece that meets `bounds`, clipped to it.
  template <class Visit>
  void visit(const box& bounds, Visit visit) const {
    const box clipped = intersect(bounds, domain_);
    box piece = clipped;
    if (!clipped.empty()) visit_level(root_, 0, clipped, piece, visit);
  }

  /// Calls change(Value&) for pieces that together are exactly `bounds` (clipped to the domain).
  template <class Change>
  void update(const box& bounds, Change change) {
    const box clipped = intersect(bounds, domain_);
    if (!clipped.empty()) update_level(root_, 0, clipped, change);
  }

  void assign(const box& bounds, const Value& value) {
    update(bounds, [&](Value& v) { v = value; });
  }

  /// Number of stored pieces.
  [[nodiscard]] std::size_t size() const { return domain_.empty() ? 0 : count(root_); }

 private:
  /// One axis: the last axis holds values, the others hold levels.
  struct level {
    slab_list<level> below;
    slab_list<Value> values;
    bool operator==(const level& other) const { return below == other.below && values == other.values; }
  };

  [[nodiscard]] bool is_last(int axis) const { return axis + 1 == domain_.rank(); }

  level make_level(int axis, Value value) const {
    level made;
    if (is_last(axis))
      made.values.push_back(domain_.lo[axis], std::move(value));
    else
      made.below.push_back(domain_.lo[axis], make_level(axis + 1, std::move(value)));
    return made;
  }

  /// Calls f(slab, place) for the slabs that meet [lo, hi).
  template <class List, class F>
  static void for_slabs(List& slabs, std::int64_t lo, std::int64_t hi, F f) {
    for (auto p = slabs.find(lo); !slabs.at_end(p) && slabs.start(p) < hi; p = slabs.next(p)) f(p);
  }

  template <class Visit>
  void visit_level(const level& at, int axis, const box& bounds, box& piece, Visit& visit) const {
    if (is_last(axis))
      visit_slabs(at.values, axis, bounds, piece, [&](const Value& v) { visit(std::as_const(piece), v); });
    else
      visit_slabs(at.below, axis, bounds, piece,
                  [&](const level& l) { visit_level(l, axis + 1, bounds, piece, visit); });
  }

  template <class List, class F>
  void visit_slabs(const List& slabs, int axis, const box& bounds, box& piece, F f) const {
    for_slabs(slabs, bounds.lo[axis], bounds.hi[axis], [&](auto p) {
      const auto after = slabs.next(p);
      const std::int64_t end = slabs.at_end(after) ? domain_.hi[axis] : slabs.start(after);
      piece.lo[axis] = std::max(slabs.start(p), bounds.lo[axis]);
      piece.hi[axis] = std::min(end, bounds.hi[axis]);
      f(slabs.item(p));
    });
  }

  template <class Change>
  void update_level(level& at, int axis, const box& bounds, Change& change) {
    if (is_last(axis))
      update_slabs(at.values, axis, bounds, change);
    else
      update_slabs(at.below, axis, bounds, [&](level& l) { update_level(l, axis + 1, bounds, change); });
  }

  template <class List, class F>
  void update_slabs(List& slabs, int axis, const box& bounds, F&& change) {
    const std::int64_t lo = bounds.lo[axis], hi = bounds.hi[axis];
    if (hi < domain_.hi[axis]) cut(slabs, hi);
    const auto first = cut(slabs, lo);
    for (auto p = first; !slabs.at_end(p) && slabs.start(p) < hi; p = slabs.next(p)) change(slabs.item(p));
    join(slabs, first, hi);
  }

  /// Makes `x` the start of a slab and returns its place.
  template <class List>
  static typename List::place cut(List& slabs, std::int64_t x) {
    const auto p = slabs.find(x);
    return slabs.start(p) == x ? p : slabs.insert_after(p, x, slabs.item(p));
  }

  /// Joins equal neighbours from the slab before `p` to the one at `hi`.
  template <class List>
  static void join(List& slabs, typename List::place p, std::int64_t hi) {
    if (!slabs.is_first(p)) p = slabs.previous(p);
    for (auto after = slabs.next(p); !slabs.at_end(after) && slabs.start(after) <= hi; after = slabs.next(p)) {
      if (slabs.item(p) == slabs.item(after) || (planted("slabs_joined") && slabs.start(after) == hi))
        slabs.erase(after);  // places before it stay valid
      else
        p = after;
    }
  }

  static std::size_t count(const level& at) {
    std::size_t sum = at.values.size();
    for (auto p = at.below.first(); !at.below.at_end(p); p = at.below.next(p)) sum += count(at.below.item(p));
    return sum;
  }

  box domain_;
  level root_;
};

}  // namespace tessera
