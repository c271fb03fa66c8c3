#pragma once

#include <cstdint>
#include <functional>

namespace tessera::numeric {

/// Calls body(i) for every i in [0, n), on one thread or several, and returns when all have ended.
using parallel_loop = std::function<void(std::int64_t n, const std::function<void(std::int64_t)>& body)>;

/// On the calling thread.
inline void run_in_order(std::int64_t n, const std::function<void(std::int64_t)>& body) {
  for (std::int64_t k = 0; k < n; ++k) body(k);
}

}  // namespace tessera::numeric
