#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace tessera {

inline constexpr int max_rank = 8;

/// Extents or coordinates of up to eight axes, in the array's own axis order (last axis contiguous).
class extents {
 public:
  constexpr extents() = default;
  constexpr extents(std::initializer_list<std::int64_t> values) : extents(std::span(values.begin(), values.size())) {}
  explicit constexpr extents(std::span<const std::int64_t> values);

  [[nodiscard]] constexpr int rank() const { return rank_; }
  constexpr std::int64_t& operator[](int axis) { return values_[static_cast<std::size_t>(axis)]; }
  constexpr std::int64_t operator[](int axis) const { return values_[static_cast<std::size_t>(axis)]; }
  [[nodiscard]] constexpr const std::int64_t* begin() const { return values_.data(); }
  [[nodiscard]] constexpr const std::int64_t* end() const { return values_.data() + rank_; }
  constexpr bool operator==(const extents&) const = default;

  /// `rank` axes of value `fill`.
  static constexpr extents uniform(int rank, std::int64_t fill) {
    extents e;
    e.rank_ = rank;
    for (int a = 0; a < rank; ++a) e[a] = fill;
    return e;
  }

 private:
  std::array<std::int64_t, max_rank> values_{};
  int rank_ = 0;
};

[[noreturn]] void throw_rank_too_large(std::size_t rank);

constexpr extents::extents(std::span<const std::int64_t> values) : rank_(static_cast<int>(values.size())) {
  if (values.size() > static_cast<std::size_t>(max_rank)) throw_rank_too_large(values.size());
  for (std::size_t a = 0; a < values.size(); ++a) values_[a] = values[a];
}

/// A half-open box of integer points, lo <= x < hi on every axis. Empty if any axis is; rank 0 holds one point.
struct box {
  extents lo;
  extents hi;

  constexpr box() = default;
  constexpr box(extents lower, extents upper) : lo(lower), hi(upper) {}

  /// [0, shape) on every axis.
  static constexpr box whole(const extents& shape) { return {extents::uniform(shape.rank(), 0), shape}; }

  [[nodiscard]] constexpr int rank() const { return lo.rank(); }
  [[nodiscard]] constexpr std::int64_t extent(int axis) const { return hi[axis] - lo[axis]; }
  [[nodiscard]] constexpr bool empty() const {
    for (int a = 0; a < rank(); ++a)
      if (hi[a] <= lo[a]) return true;
    return false;
  }
  /// How many points it has on each axis.
  [[nodiscard]] constexpr extents shape() const {
    extents s = hi;
    for (int a = 0; a < rank(); ++a) s[a] -= lo[a];
    return s;
  }
  /// Number of points; the caller has checked that it fits.
  [[nodiscard]] constexpr std::int64_t volume() const {
    std::int64_t v = 1;
    for (int a = 0; a < rank(); ++a) v *= hi[a] > lo[a] ? hi[a] - lo[a] : 0;
    return v;
  }
  [[nodiscard]] constexpr bool contains(const box& other) const {
    for (int a = 0; a < rank(); ++a)
      if (other.lo[a] < lo[a] || other.hi[a] > hi[a]) return other.empty();
    return true;
  }
  [[nodiscard]] constexpr bool overlaps(const box& other) const {
    for (int a = 0; a < rank(); ++a)
      if (other.hi[a] <= lo[a] || other.lo[a] >= hi[a]) return false;
    return !empty() && !other.empty();
  }
  constexpr bool operator==(const box&) const = default;
};

/// The points in both.
[[nodiscard]] constexpr box intersect(const box& a, const box& b) {
  box r = a;
  for (int k = 0; k < a.rank(); ++k) {
    if (b.lo[k] > r.lo[k]) r.lo[k] = b.lo[k];
    if (b.hi[k] < r.hi[k]) r.hi[k] = b.hi[k];
  }
  return r;
}

/// The smallest box that holds both; an empty box adds nothing.
[[nodiscard]] constexpr box hull(const box& a, const box& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  box r = a;
  for (int k = 0; k < a.rank(); ++k) {
    if (b.lo[k] < r.lo[k]) r.lo[k] = b.lo[k];
    if (b.hi[k] > r.hi[k]) r.hi[k] = b.hi[k];
  }
  return r;
}

[[nodiscard]] constexpr extents negative(extents e) {
  for (int k = 0; k < e.rank(); ++k) e[k] = -e[k];
  return e;
}

/// `b` moved by `offset` on every axis.
[[nodiscard]] constexpr box translate(box b, const extents& offset) {
  for (int k = 0; k < b.rank(); ++k) {
    b.lo[k] += offset[k];
    b.hi[k] += offset[k];
  }
  return b;
}

/// Byte strides of an array of `shape` without gaps, last axis contiguous.
[[nodiscard]] constexpr extents dense_strides(const extents& shape, std::int64_t element_bytes) {
  extents strides = shape;
  for (int k = shape.rank() - 1; k >= 0; --k) {
    strides[k] = element_bytes;
    element_bytes *= shape[k];
  }
  return strides;
}

/// Bytes from element 0 to element x.
[[nodiscard]] constexpr std::int64_t offset_of(const extents& strides, const extents& x) {
  std::int64_t bytes = 0;
  for (int k = 0; k < x.rank(); ++k) bytes += x[k] * strides[k];
  return bytes;
}

/// Bytes from the first to behind the last element of a box that is not empty; strides are not negative.
[[nodiscard]] constexpr std::int64_t span_bytes(const extents& strides, const box& b, std::int64_t element_bytes) {
  for (int k = 0; k < b.rank(); ++k) element_bytes += (b.extent(k) - 1) * strides[k];
  return element_bytes;
}

/// "{3, 4}".
[[nodiscard]] std::string to_string(const extents& e);
/// "[0:10, 3:4]", half-open.
[[nodiscard]] std::string to_string(const box& b);

}  // namespace tessera
