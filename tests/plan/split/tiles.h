#pragma once

#include "tessera/plan/layout.h"

namespace tessera::plan {

/// Tiles of so many elements, for tests.
inline layout tiles(const extents& tile, bool cyclic = false) {
  layout home;
  home.form = layout::kind::tiles;
  home.tile = tile;
  home.cyclic = cyclic;
  return home;
}

}  // namespace tessera::plan
