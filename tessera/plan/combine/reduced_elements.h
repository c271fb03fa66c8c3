#pragma once

#include "tessera/base/geometry/region.h"
#include "tessera/plan/split/launch_grid.h"

namespace tessera::plan {

/// The elements of an array that a launch declares by `reduce`, in the array's own coordinates: what gets new contents
/// (rule A4). A function of the whole launch, so it cannot depend on the split. Exact, also where rules leave gaps
/// between the elements of neighbouring threads; only where threads are very many and nothing but counting tells
/// whether there are gaps, their hull. Throws `argument_error` where gaps cut it into more pieces than can be handled.
[[nodiscard]] region reduced_elements(const launch_shape& shape, int slot);

}  // namespace tessera::plan
