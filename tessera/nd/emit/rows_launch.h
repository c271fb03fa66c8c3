#pragma once

#include <string>

#include "tessera/nd/fuse/rows.h"

namespace tessera::nd {

/// Carries reductions of rows and what is made of them out in one launch. The stored nodes have their arrays
/// afterwards.
void launch_rows(graph& owner, rows_group rows, call_site here);

/// The launch as text: the kernel and its annotation.
[[nodiscard]] std::string describe_rows(graph& owner, rows_group rows);

}  // namespace tessera::nd
