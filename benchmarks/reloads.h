#pragma once

#include <cstdint>

namespace tessera::bench {

/// How often pages are brought back when `passes` go through `pages` in order and `room` of them fit: the page whose
/// next use is farthest leaves, which is the best one can do, or the one whose last use is longest ago.
[[nodiscard]] std::int64_t reloads(std::int64_t pages, std::int64_t room, int passes, bool farthest);

}  // namespace tessera::bench
