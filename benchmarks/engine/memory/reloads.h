#pragma once

#include <cstdint>
#include <string>

#include "benchmarks/frame/harness.h"

namespace tessera::bench {

/// Passes in order over data of which a part fits.
struct repeated_passes {
  std::int64_t bytes = 0, memory = 0, page = 0;
  int passes = 0;
};

/// How often pages are brought back when `passes` go through `pages` in order and `room` of them fit: the page whose
/// next use is farthest leaves, which is the best one can do, or the one whose last use is longest ago.
[[nodiscard]] std::int64_t reloads(std::int64_t pages, std::int64_t room, int passes, bool farthest);

/// The row `name`, the bytes that were brought back against the least possible, and the row `name`.lru, against what
/// leaving the least recently used page would have brought back. In MiB.
void add_reloads(session& s, const std::string& name, std::int64_t moved, const repeated_passes& work);

}  // namespace tessera::bench
