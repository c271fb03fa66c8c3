#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "tessera/base/box.h"

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

  /// Calls visit(const box&, const Value&) for each stored piece that meets `where`, clipped to it.
  template <class Visit>
  void visit(const box& where, Visit visit) const {
    box piece = intersect(where, domain_);
    if (!piece.empty()) visit_level(root_, 0, intersect(where, domain_), piece, visit);
  }

  /// Calls change(Value&) for pieces that together are exactly `where` (clipped to the domain).
  template <class Change>
  void update(const box& where, Change change) {
    const box clipped = intersect(where, domain_);
    if (!clipped.empty()) update_level(root_, 0, clipped, change);
  }

  void assign(const box& where, const Value& value) {
    update(where, [&](Value& v) { v = value; });
  }

  /// Number of stored pieces.
  [[nodiscard]] std::size_t size() const { return domain_.empty() ? 0 : count(root_); }

 private:
  /// Slab i covers [starts[i], starts[i + 1]) of this level's axis; the last ends with the domain. The last axis holds
  /// values, the others hold levels.
  struct level {
    std::vector<std::int64_t> starts;
    std::vector<level> below;
    std::vector<Value> values;
    bool operator==(const level&) const = default;
  };

  level make_level(int axis, Value value) const {
    level made;
    made.starts.push_back(domain_.lo[axis]);
    if (axis + 1 == domain_.rank())
      made.values.push_back(std::move(value));
    else
      made.below.push_back(make_level(axis + 1, std::move(value)));
    return made;
  }

  [[nodiscard]] std::int64_t end_of(const level& at, std::size_t slab, int axis) const {
    return slab + 1 < at.starts.size() ? at.starts[slab + 1] : domain_.hi[axis];
  }

  static std::size_t slab_of(const level& at, std::int64_t x) {
    if (at.starts.size() == 1) return 0;
    const auto after = std::upper_bound(at.starts.begin(), at.starts.end(), x);
    return static_cast<std::size_t>(after - at.starts.begin()) - 1;
  }

  template <class Visit>
  void visit_level(const level& at, int axis, const box& where, box& piece, Visit& visit) const {
    for (std::size_t s = slab_of(at, where.lo[axis]); s < at.starts.size() && at.starts[s] < where.hi[axis]; ++s) {
      piece.lo[axis] = std::max(at.starts[s], where.lo[axis]);
      piece.hi[axis] = std::min(end_of(at, s, axis), where.hi[axis]);
      if (axis + 1 == domain_.rank())
        visit(std::as_const(piece), at.values[s]);
      else
        visit_level(at.below[s], axis + 1, where, piece, visit);
    }
  }

  /// Makes `x` the start of a slab and returns that slab.
  static std::size_t cut(level& at, std::int64_t x) {
    const std::size_t s = slab_of(at, x);
    if (at.starts[s] == x) return s;
    const auto next = static_cast<std::ptrdiff_t>(s) + 1;
    at.starts.insert(at.starts.begin() + next, x);
    if (at.below.empty())
      at.values.insert(at.values.begin() + next, Value(at.values[s]));
    else
      at.below.insert(at.below.begin() + next, level(at.below[s]));
    return s + 1;
  }

  static bool equal_slabs(const level& at, std::size_t a, std::size_t b) {
    return at.below.empty() ? at.values[a] == at.values[b] : at.below[a] == at.below[b];
  }

  /// Joins equal neighbours among the slabs first-1 .. last.
  static void join(level& at, std::size_t first, std::size_t last) {
    const std::size_t from = first == 0 ? 0 : first - 1;
    const std::size_t to = std::min(last, at.starts.size() - 1);
    std::size_t keep = from;
    for (std::size_t s = from + 1; s <= to; ++s) {
      if (equal_slabs(at, keep, s)) continue;
      if (++keep != s) move_slab(at, s, keep);
    }
    if (keep == to) return;
    const auto gap = static_cast<std::ptrdiff_t>(keep) + 1, rest = static_cast<std::ptrdiff_t>(to) + 1;
    erase(at.starts, gap, rest);
    if (at.below.empty())
      erase(at.values, gap, rest);
    else
      erase(at.below, gap, rest);
  }

  static void move_slab(level& at, std::size_t from, std::size_t to) {
    at.starts[to] = at.starts[from];
    if (at.below.empty())
      at.values[to] = std::move(at.values[from]);
    else
      at.below[to] = std::move(at.below[from]);
  }

  template <class T>
  static void erase(std::vector<T>& v, std::ptrdiff_t first, std::ptrdiff_t last) {
    v.erase(v.begin() + first, v.begin() + last);
  }

  template <class Change>
  void update_level(level& at, int axis, const box& where, Change& change) {
    const std::size_t first = cut(at, where.lo[axis]);
    const std::size_t last = where.hi[axis] < domain_.hi[axis] ? cut(at, where.hi[axis]) : at.starts.size();
    for (std::size_t s = first; s < last; ++s) {
      if (axis + 1 == domain_.rank())
        change(at.values[s]);
      else
        update_level(at.below[s], axis + 1, where, change);
    }
    join(at, first, last);
  }

  static std::size_t count(const level& at) {
    std::size_t sum = at.values.size();
    for (const level& l : at.below) sum += count(l);
    return sum;
  }

  box domain_;
  level root_;
};

}  // namespace tessera
