#pragma once

#include <cstdint>
#include <vector>

#include "tessera/algo/exec/routes/parts.h"

namespace tessera::algo {

/// What decides how requests are grouped: their bytes, and how many owners there are.
struct request_shape {
  std::int64_t owners = 1;
  std::int64_t arrays = 2;         ///< In which they are grouped.
  std::int64_t bytes = 8;          ///< Of one in all arrays of a launch.
  std::int64_t largest_bytes = 8;  ///< In one of them.
};

/// Requests as thread blocks and owners see them. A thread block has a chunk, chunk b the requests begins[b] <= i <
/// begins[b + 1]. Those of a stretch, which is some chunks of one device, lie together by owner, so that an owner finds
/// its requests in as many places as there are stretches.
struct request_chunks {
  struct stretch {
    std::int64_t first = 0;  ///< Chunks first <= b < last.
    std::int64_t last = 0;
    int device = 0;
  };
  std::vector<std::int64_t> begins;
  std::vector<stretch> stretches;

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(begins.size()) - 1; }
};

/// A stretch is a whole part where that fits into memory, else what does; a chunk is all of its stretch where there is
/// so little memory that not even one could be spread over it. Depends on sizes and the machine alone.
[[nodiscard]] request_chunks chunks_of(const std::vector<device_part>& from, const request_shape& shape,
                                       const context& ctx);

}  // namespace tessera::algo
