#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::nd {

class array;

/// What arrays of one context have done so far.
struct graph_stats {
  std::int64_t nodes = 0;              ///< Operations recorded.
  std::int64_t flushes = 0;            ///< Times that recorded operations were carried out.
  std::int64_t launches = 0;           ///< Launches made for them.
  std::int64_t declared_bytes = 0;     ///< Elements that these read and write, each array once a launch.
  std::int64_t inline_operations = 0;  ///< Carried out on the calling thread, on host values.
  std::int64_t kernels = 0;            ///< Different kernels printed.
  std::int64_t reused_kernels = 0;     ///< Launches of a kernel that was there.
  std::vector<std::string> recent;     ///< Why and where the last flushes happened, the last one at the end.
};

/// Of the context that an array belongs to, and of the default one.
[[nodiscard]] graph_stats stats(const array& a);
[[nodiscard]] graph_stats stats();

}  // namespace tessera::nd
