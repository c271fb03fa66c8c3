#pragma once

#include <cstdint>
#include <initializer_list>

#include "tessera/plan/layout.h"

namespace tessera {

/// Where the parts of an array live at rest, and how automatic splits fall: a hint that never changes results.
/// Derive from it for a distribution of your own: return boxes with the devices that own them.
class distribution {
 public:
  virtual ~distribution() = default;
  /// The parts of an array of shape `shape` on `devices` devices; the same on every rank.
  [[nodiscard]] virtual plan::layout parts(const extents& shape, int devices) const = 0;
};

/// A distribution by tiles. Made by `blocks`, `rows`, `columns` and `tiles`; also says how a launch is split.
class tiled final : public distribution {
 public:
  enum class axis : std::uint8_t { as_given, first, last };
  tiled(extents tile, axis along) : tile_(tile), axis_(along) {}

  /// Promises every device what lies so far beyond the edges of its parts, on every axis or per axis: it is brought up
  /// to date by whatever writes the array, before a launch reads it.
  [[nodiscard]] tiled halo(std::int64_t width) const;
  [[nodiscard]] tiled halo(const extents& widths) const;
  /// Deals the tiles out to the devices in turn instead of in contiguous runs.
  [[nodiscard]] tiled cyclic() const;

  [[nodiscard]] plan::layout parts(const extents& shape, int devices) const override;
  [[nodiscard]] const extents& tile() const { return tile_; }

 private:
  extents tile_;
  axis axis_;
  extents halo_;
  bool cyclic_ = false;
};

/// `n` elements (of a vector), rows or threads per part.
[[nodiscard]] inline tiled blocks(std::int64_t n) { return {extents{n}, tiled::axis::as_given}; }
/// Parts of the given extents: array axes for a distribution, x y z for a launch.
[[nodiscard]] inline tiled blocks(const extents& part) { return {part, tiled::axis::as_given}; }
[[nodiscard]] inline tiled rows(std::int64_t n) { return {extents{n}, tiled::axis::first}; }
[[nodiscard]] inline tiled columns(std::int64_t n) { return {extents{n}, tiled::axis::last}; }
[[nodiscard]] inline tiled tiles(const extents& tile) { return {tile, tiled::axis::as_given}; }

/// Every device a copy, which whatever writes the array brings up to date; everything on one device; or one part per
/// device: see the functions below.
class simple_distribution final : public distribution {
 public:
  explicit simple_distribution(plan::layout home) : home_(std::move(home)) {}
  [[nodiscard]] plan::layout parts(const extents&, int) const override { return home_; }

 private:
  plan::layout home_;
};

[[nodiscard]] simple_distribution replicated();
[[nodiscard]] simple_distribution on_device(int device);
[[nodiscard]] simple_distribution automatic();

}  // namespace tessera
