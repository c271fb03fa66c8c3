#pragma once

#include <tessera/nd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "../check.h"

/// What the examples of arrays have in common beyond `examples/check.h`.
namespace example {

/// Reports `result`, which may differ from `expected` by rounding.
template <class T>
int report_close(const std::string& label, const std::vector<T>& result, const std::vector<T>& expected,
                 double tolerance) {
  bool close = result.size() == expected.size();
  for (std::size_t i = 0; close && i < result.size(); ++i) {
    const auto ours = static_cast<double>(result[i]), wanted = static_cast<double>(expected[i]);
    close = std::abs(ours - wanted) <= tolerance * (1 + std::abs(wanted));
    if (!close) std::printf("%s: element %zu is %.9g instead of %.9g\n", label.c_str(), i, ours, wanted);
  }
  return report(label, result, close ? result : std::vector<T>());
}

/// What was done between two looks at `nd::stats()`.
struct work {
  explicit work(const tessera::nd::graph_stats& earlier) {
    const tessera::nd::graph_stats now = tessera::nd::stats();
    launches = now.launches - earlier.launches;
    bytes = now.declared_bytes - earlier.declared_bytes;
    flushes = now.flushes - earlier.flushes;
  }
  std::int64_t launches, bytes;
  std::int64_t flushes;  ///< More than were asked for where memory is short.
};

/// Says what is wrong if `holds` is false, and returns what main() adds to its result.
inline int require(bool holds, const char* sentence) {
  if (!holds) std::printf("WRONG: %s\n", sentence);
  return holds ? 0 : 1;
}

}  // namespace example
