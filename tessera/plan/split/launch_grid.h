#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tessera/base/dtype.h"
#include "tessera/base/geometry/region.h"
#include "tessera/base/index.h"
#include "tessera/plan/access/access.h"
#include "tessera/plan/partition.h"
#include "tessera/plan/split/spec.h"

namespace tessera::plan {

/// One array of a launch; parameters that name the same array share a slot.
struct array_slot {
  std::string name;  ///< For messages: the first parameter that names it.
  extents shape;
  dtype type;
  partition_ptr home;
};

/// An array parameter: a box of the array in a slot, whose first element the kernel sees as element 0.
struct slot_use {
  int parameter = 0;
  int slot = 0;
  box slice;
};

/// Bytes that a native kernel takes on a device besides its arrays for a box of points: a pure function, equal on all
/// ranks.
using workspace_function = std::function<std::int64_t(const box& points)>;

/// A launch without its data: everything that decides how it is cut.
struct launch_shape {
  std::string name;
  domain space;
  split_spec split;
  std::shared_ptr<const access_pattern> accesses;
  std::vector<array_slot> slots;
  std::vector<slot_use> uses;
  std::span<const std::byte> code{};  ///< Of `accesses`, where it is known (see bound_accesses.h). Borrowed.
  std::shared_ptr<const workspace_function> workspace{};  ///< Null: none is taken.
};

/// What one superblock declares of one array, in the array's own coordinates.
struct footprint {
  region reads;     ///< Must hold current contents before it runs.
  region writes;    ///< Hold new contents afterwards.
  region combines;  ///< Gets a private result, combined afterwards.
  bool operator==(const footprint&) const = default;
};

enum class touch : std::uint8_t { read, write, combine };

/// A launch cut into a grid of superblocks: boxes of granules (thread blocks) between cuts on every axis.
/// Superblocks are numbered with x fastest. Immutable.
class launch_grid {
 public:
  launch_grid(launch_shape shape, std::vector<std::vector<std::int64_t>> cuts);

  [[nodiscard]] const launch_shape& shape() const { return shape_; }
  [[nodiscard]] std::int64_t size() const { return size_; }
  /// The granules of superblock `index`.
  [[nodiscard]] box part(std::int64_t index) const;
  [[nodiscard]] std::vector<footprint> footprints(std::int64_t index) const { return footprints(part(index)); }
  /// The footprints of any box of granules.
  [[nodiscard]] std::vector<footprint> footprints(const box& granules) const;

  /// What superblocks `part_box` (a box of grid positions) touch of `slot`, as if they were one. Some of them alone may
  /// declare more: the hull of a view's boxes where these are too many, and what only their own padding touches.
  void touched(int slot, touch kind, const box& part_box, std::vector<box>& out) const;
  /// What a box of granules touches of `slot`.
  void touched_by(int slot, touch kind, const box& granules, std::vector<box>& out) const;
  /// Boxes around what `touched` gives for `part_box` or for any box inside it.
  void bounds(int slot, touch kind, const box& part_box, std::vector<box>& out) const;
  /// The smallest box around what each superblock touches of `slot`; of no axes if they touch nothing.
  [[nodiscard]] box reach(int slot, touch kind) const;
  /// The grid position of superblock `index`, as a box of one.
  [[nodiscard]] box position(std::int64_t index) const;
  /// All grid positions.
  [[nodiscard]] const box& positions() const { return positions_; }
  [[nodiscard]] std::int64_t index_of(const extents& position) const;
  [[nodiscard]] bool touches(int slot, touch kind) const { return (used_[index(slot)] >> static_cast<int>(kind)) & 1; }

 private:
  [[nodiscard]] box granules(const box& part_box) const;

  launch_shape shape_;
  std::vector<std::vector<std::int64_t>> cuts_;  // per axis: superblock i spans [cuts[i], cuts[i + 1])
  box positions_;
  std::int64_t size_ = 1;
  std::vector<unsigned> used_;  // per slot: bit per kind of touch
};

/// The superblocks of a launch as owners of what they touch of one array: found by bisection of the grid, or in an
/// index of the boxes where these are disjoint (written) and not too many.
class launch_parts final : public partition {
 public:
  launch_parts(std::shared_ptr<const launch_grid> grid, std::shared_ptr<const std::vector<int>> devices, int slot,
               touch kind);

  void pieces(const box& query, std::vector<piece>& out) const override;
  void pieces_of(int first, int last, const box& query, std::vector<piece>& out) const override;

 private:
  static constexpr std::int64_t most_indexed = 1 << 16;
  static constexpr std::int32_t no_part = -1;
  void search(const box& part_box, const box& query, std::vector<piece>& out) const;
  void append(std::int64_t part, const box& query, std::vector<piece>& out) const;

  std::shared_ptr<const launch_grid> grid_;
  std::shared_ptr<const std::vector<int>> devices_;
  int slot_;
  touch kind_;
  std::optional<region_map<std::int32_t>> index_;  // the superblock that writes each element
};

}  // namespace tessera::plan
