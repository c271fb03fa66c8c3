#pragma once

#include <optional>
#include <string>

#include "tessera/plan/split/launch_grid.h"

namespace tessera::plan {

/// Why the superblocks of `grid` may not run beside each other (rule B4), naming two of them and the elements; or
/// nothing if they may.
[[nodiscard]] std::optional<std::string> find_conflict(const std::shared_ptr<const launch_grid>& grid);

/// Throws `argument_error`, with table and row, where the threads of a launch ask for rows that a table does not have,
/// or for a row that reaches beyond the array (rule H16). Threads that only fill the last blocks do not count.
void check_tables(const launch_shape& shape);

}  // namespace tessera::plan
