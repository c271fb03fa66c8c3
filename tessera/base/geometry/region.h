#pragma once

#include <span>
#include <string>
#include <vector>

#include "tessera/base/geometry/box.h"

namespace tessera {

/// A set of points kept as disjoint boxes in canonical order: two regions with the same points have the same boxes,
/// however they were made. Ranks rely on this to name the parts of a message without talking.
class region {
 public:
  region() = default;
  region(const box& b) {  // NOLINT: a box is a region
    if (!b.empty()) boxes_.push_back(b);
  }
  explicit region(std::vector<box> possibly_overlapping);

  [[nodiscard]] std::span<const box> boxes() const { return boxes_; }
  [[nodiscard]] std::vector<box> take_boxes() && { return std::move(boxes_); }
  [[nodiscard]] bool empty() const { return boxes_.empty(); }
  [[nodiscard]] std::int64_t volume() const;
  /// The smallest box around all points; requires a region that is not empty.
  [[nodiscard]] box bounds() const;
  [[nodiscard]] bool contains(const box& b) const;
  [[nodiscard]] bool overlaps(const box& b) const;
  bool operator==(const region&) const = default;

  /// The points of `a` that lie in some box of `b` (`inside`), or in none, in time n log n of the boxes and the result.
  /// For many boxes; requires boxes that are not empty and have axes.
  [[nodiscard]] static region chosen(std::span<const box> a, std::span<const box> b, bool inside);

 private:
  std::vector<box> boxes_;
};

[[nodiscard]] region unite(const region& a, const region& b);
[[nodiscard]] region intersect(const region& a, const region& b);
[[nodiscard]] region subtract(const region& a, const region& b);

/// Appends the parts of `a` outside `b`: at most two boxes per axis, disjoint.
void subtract(const box& a, const box& b, std::vector<box>& out);

/// "[0:3] + [5:9]", or "nothing".
[[nodiscard]] std::string to_string(const region& r);

}  // namespace tessera
