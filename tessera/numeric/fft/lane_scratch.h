#pragma once

#include <cstddef>
#include <cstdint>

#include "tessera/numeric/fft/lanes.h"
#include "tessera/numeric/scratch.h"

namespace tessera::numeric {

/// Memory of the calling thread for a transform of `inner` elements in lanes.
template <class T>
[[nodiscard]] T* lane_scratch(std::int64_t inner) {
  struct lines_tag {};
  const auto vectors = static_cast<std::size_t>(2 * (inner + 1)) * 2;
  return reinterpret_cast<T*>(
      thread_scratch<lines_tag>(vectors * static_cast<std::size_t>(fft_lanes<T>().lanes) * sizeof(T)));
}

}  // namespace tessera::numeric
