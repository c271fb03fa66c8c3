#pragma once

#include <cstdint>
#include <vector>

#include "tessera/base/geometry/box.h"

namespace tessera::plan {

/// A box and the device that owns it.
struct placed_box {
  box bounds;
  int device = 0;         ///< Numbered through all ranks.
  std::int64_t part = 0;  ///< Ordinal of the tile or superblock.
  bool operator==(const placed_box&) const = default;
};

/// Where the parts of an array live at rest and how automatic splits fall: a hint that never changes results.
/// A plain value, so that it can travel with the task that makes the array.
struct layout {
  enum class kind : std::uint8_t {
    automatic,   ///< One part per device along the first axis that is long enough.
    tiles,       ///< Tiles of extents `tile`; 0 means the whole axis, missing axes are whole.
    replicated,  ///< Every device is promised a copy of everything; parts as automatic.
    on_device,   ///< Everything on `device`.
    listed,      ///< The boxes in `parts`.
  };

  kind form = kind::automatic;
  extents tile;
  bool cyclic = false;
  int device = 0;
  /// What devices are promised beyond the edges of their parts: one width for all axes, or one per axis (missing: 0).
  extents halo;
  std::vector<placed_box> parts;
};

}  // namespace tessera::plan
