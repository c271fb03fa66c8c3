#pragma once

#include <cstdint>

#include "tessera/plan/split/launch_grid.h"

namespace tessera::plan {

/// How much a launch has to do, in bytes, as far as its shape says: what its arrays hold as a whole, or what its
/// threads declare one by one if that is more; for each thread at least 16. A thread that declares to read a whole
/// array counts as one that walks through it. At most the largest number of 64 bits.
[[nodiscard]] std::int64_t launch_bytes(const launch_shape& shape);

/// True if the launch is too small to share (rule B3): it has no more to do than `limit` bytes, is split automatically,
/// and uses no array whose parts the user has put on several devices by name.
[[nodiscard]] bool is_small(const launch_shape& shape, std::int64_t limit);

}  // namespace tessera::plan
