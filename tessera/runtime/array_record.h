#pragma once

#include <memory>

#include "tessera/base/dtype.h"
#include "tessera/base/geometry/box.h"
#include "tessera/base/ids.h"

namespace tessera::plan {
class partition;
}

namespace tessera::runtime {

class engine;

/// One array, shared by its handles. It keeps its engine alive; when the last handle goes, its memory is freed behind
/// its last planned use.
struct array_record {
  std::shared_ptr<engine> owner;
  array_id id;
  extents shape;       ///< As the user gave it; rank 0 is possible.
  extents plan_shape;  ///< What plans are made with: `shape`, or {1} where that has no axes.
  dtype type;
  std::shared_ptr<const plan::partition> home;
  bool is_value = false;  ///< Nothing may change it.

  ~array_record();
};

}  // namespace tessera::runtime
