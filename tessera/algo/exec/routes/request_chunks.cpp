#include "tessera/algo/exec/routes/request_chunks.h"

#include <algorithm>

#include "tessera/base/checked.h"
#include "tessera/plan/machine.h"
#include "tessera/runtime/engine.h"

namespace tessera::algo {
namespace {

constexpr std::int64_t least_chunk = 1024;

struct chunk_sizes {
  std::int64_t stretch = 1;  ///< Elements.
  std::int64_t chunk = 1;
};

chunk_sizes sizes_for(std::int64_t longest_part, std::int64_t all, const request_shape& shape, const context& ctx) {
  const plan::device_spec device = ctx.engine()->machine().least();
  const std::int64_t affordable = std::max<std::int64_t>(1, device.memory / 16 / shape.largest_bytes);
  if (longest_part * shape.bytes <= device.memory / 4)
    return {longest_part, std::min(affordable, std::max(least_chunk, ceil_div(all, 16384)))};
  // A chunk touches two pages for each owner in each of the arrays.
  const bool can_spread = shape.owners * shape.arrays * 2 * device.page <= device.memory / 8;
  return {affordable, can_spread ? std::min(affordable, std::max(least_chunk, affordable / 512)) : affordable};
}

}  // namespace

request_chunks chunks_of(const std::vector<device_part>& from, const request_shape& shape, const context& ctx) {
  std::int64_t longest = 0;
  for (const device_part& p : from) longest = std::max(longest, p.size());
  const std::int64_t all = from.empty() ? 0 : from.back().hi;
  request_chunks made;
  if (all > 0) {
    const chunk_sizes sizes = sizes_for(longest, all, shape, ctx);
    for (const device_part& part : in_pieces(from, sizes.stretch)) {
      const std::int64_t first = std::ssize(made.begins);
      for (std::int64_t lo = part.lo; lo < part.hi; lo += sizes.chunk) made.begins.push_back(lo);
      made.stretches.push_back({first, std::ssize(made.begins), part.device});
    }
  }
  made.begins.push_back(all);
  return made;
}

}  // namespace tessera::algo
