#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "tessera/base/geometry/box.h"
#include "tessera/base/geometry/region.h"
#include "tessera/base/geometry/region_map.h"
#include "tessera/plan/layout.h"

namespace tessera::plan {

class promised_copies;

/// Boxes with owners. Immutable and shared: the region map refers to partitions instead of listing boxes, so that a
/// launch over a whole array is one entry, whatever the number of ranks.
class partition {
 public:
  using piece = placed_box;

  partition() = default;
  partition(const partition&) = delete;
  partition& operator=(const partition&) = delete;
  virtual ~partition() = default;

  /// Appends what meets `query`, clipped to it, in time proportional to the answer (times a logarithm).
  virtual void pieces(const box& query, std::vector<piece>& out) const = 0;

  /// Appends the pieces on devices first <= d < last that meet `query`, clipped to it.
  virtual void pieces_of(int first, int last, const box& query, std::vector<piece>& out) const;

  /// Where the owning device changes along `axis`, if that can be said for the axis alone; ascending, inside the box.
  [[nodiscard]] virtual std::vector<std::int64_t> cuts(int axis) const;

  /// True if the user has named the device of each part.
  [[nodiscard]] virtual bool names_devices() const { return false; }

  /// The copies that a distribution with these parts promises besides (see promised_copies.h); null if none.
  [[nodiscard]] const std::shared_ptr<const promised_copies>& promised() const { return promised_; }
  /// Called before the partition is shared.
  void promise(std::shared_ptr<const promised_copies> copies) { promised_ = std::move(copies); }

 private:
  std::shared_ptr<const promised_copies> promised_;
};

using partition_ptr = std::shared_ptr<const partition>;

/// Some devices, numbered through all ranks: first <= d < last. All of them unless said otherwise.
struct device_range {
  int first = 0;
  int last = std::numeric_limits<int>::max();

  [[nodiscard]] bool all() const { return first == 0 && last == std::numeric_limits<int>::max(); }
  [[nodiscard]] bool has(int device) const { return first <= device && device < last; }
};

/// The pieces of all of `boxes` on those devices. A partition may have to look at all it has to answer once: of many
/// boxes that lie close together it is asked but once.
[[nodiscard]] std::vector<partition::piece> pieces_of_all(const partition& of, std::span<const box> boxes,
                                                          device_range on = {});

/// What each of those devices has of `queried`.
[[nodiscard]] std::map<int, region> by_device(const partition& of, std::span<const box> queried, device_range on = {});

/// What of `bounds` is at home on the devices, as few boxes, in an order that depends on that alone.
[[nodiscard]] std::vector<box> own_boxes(const partition& home, device_range on, const box& bounds);

/// Equal tiles in row-major order, given to the devices in turn (`cyclic`) or in contiguous runs.
class tiling final : public partition {
 public:
  /// `tile` extents of at least 1 on each axis of `shape`. `numbers`: of the devices, if these are not 0, 1, ...
  tiling(const extents& shape, const extents& tile, int devices, bool cyclic, std::vector<int> numbers = {});

  void pieces(const box& query, std::vector<piece>& out) const override;
  [[nodiscard]] std::vector<std::int64_t> cuts(int axis) const override;

 private:
  [[nodiscard]] int device_of(std::int64_t tile) const;

  extents shape_, tile_, count_;
  std::int64_t tiles_ = 1;
  int devices_;
  bool cyclic_;
  std::vector<int> numbers_;
};

/// Boxes listed one by one. Those listed later lie on top; what no box covers belongs to device 0.
class listed_parts final : public partition {
 public:
  listed_parts(const extents& shape, const std::vector<piece>& parts);
  [[nodiscard]] bool names_devices() const override { return true; }
  void pieces(const box& query, std::vector<piece>& out) const override;
  /// Between two indices of `axis` that have one owner each, for whatever indices of the other axes, and not the same:
  /// of slabs all boundaries between devices, where boxes lie otherwise none.
  [[nodiscard]] std::vector<std::int64_t> cuts(int axis) const override;

 private:
  struct owner {
    int device = 0;
    std::int64_t part = 0;
    bool operator==(const owner&) const = default;
  };
  region_map<owner> map_;
};

}  // namespace tessera::plan
