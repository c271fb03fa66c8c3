#pragma once

#include <optional>
#include <string>

#include "tessera/plan/split/launch_grid.h"

namespace tessera::plan {

/// Why the superblocks of `grid` may not run beside each other (rule B4), naming two of them and the elements; or
/// nothing if they may.
[[nodiscard]] std::optional<std::string> find_conflict(const std::shared_ptr<const launch_grid>& grid);

}  // namespace tessera::plan
