#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tessera/base/geometry/box.h"

namespace tessera::plan {

/// Threads lo <= t < hi of a launch along one axis, and the device that runs them.
struct slab {
  std::int64_t lo = 0;
  std::int64_t hi = 0;
  int device = 0;  ///< Numbered through all ranks.
  bool operator==(const slab&) const = default;
};

/// How the user wants a launch cut.
struct split_spec {
  enum class kind : std::uint8_t { automatic, blocks, like, whole, slabs, on_device };
  static constexpr int slowest_axis = -1;  ///< The last axis that has more than one thread, or x.

  kind form = kind::automatic;
  extents blocks;             ///< For `blocks`: points per superblock and axis, x first; 0 or missing: the whole axis.
  int parameter = 0;          ///< For `like`: the array parameter whose distribution to follow.
  std::vector<slab> slabs{};  ///< For `slabs`: in any order; empty ones count for nothing.
  int axis = slowest_axis;    ///< For `slabs`: x is 0.
  int device = 0;             ///< For `on_device`, numbered through all ranks.
  bool operator==(const split_spec&) const = default;

  /// True if the user has said on which devices superblocks run, so that nothing else may decide it.
  [[nodiscard]] bool names_devices() const { return form == kind::slabs || form == kind::on_device; }
};

/// For messages: "like parameter 1", "on device 2", "in parts [0, 64) on 1, [64, 100) on 0". Of a long list the first
/// ones, their number and a hash of all.
[[nodiscard]] std::string to_string(const split_spec& split);

}  // namespace tessera::plan
