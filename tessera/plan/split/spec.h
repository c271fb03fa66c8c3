#pragma once

#include <cstdint>

#include "tessera/base/geometry/box.h"

namespace tessera::plan {

/// How the user wants a launch cut.
struct split_spec {
  enum class kind : std::uint8_t { automatic, blocks, like, whole };
  kind how = kind::automatic;
  extents blocks;     ///< For `blocks`: points per superblock and axis, x first; 0 or missing means the whole axis.
  int parameter = 0;  ///< For `like`: the array parameter whose distribution to follow.
  bool operator==(const split_spec&) const = default;
};

}  // namespace tessera::plan
