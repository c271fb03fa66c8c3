#pragma once

#include <cstdint>
#include <vector>

#include "tessera/base/box.h"
#include "tessera/plan/partition.h"

namespace tessera::plan {

/// Where the parts of an array live at rest and how automatic splits fall: a hint that never changes results.
/// A plain value, so that it can travel with the task that makes the array.
struct layout {
  enum class kind : std::uint8_t {
    automatic,   ///< One part per device along the first axis that is long enough.
    tiles,       ///< Tiles of extents `tile`; 0 means the whole axis, missing axes are whole.
    replicated,  ///< Every device wants a copy; parts as automatic.
    on_device,   ///< Everything on `device`.
    listed,      ///< The boxes in `parts`.
  };

  kind how = kind::automatic;
  extents tile;
  bool cyclic = false;
  int device = 0;
  extents halo;  ///< Room that reads beyond a part's edge will want.
  std::vector<partition::piece> parts;
};

/// The parts of an array of shape `shape` (rank 1 to 8) on `devices` devices. Throws `argument_error` for tiles that
/// are negative, of too many axes, or devices that do not exist.
[[nodiscard]] partition_ptr make_partition(const layout& how, const extents& shape, int devices);

}  // namespace tessera::plan
