#pragma once

#include <tessera/algo.h>

#include <initializer_list>
#include <string>

#include "benchmarks/gpu/contest.h"

/// Containers whose elements the GPU makes, and comparisons of some elements.
namespace tessera::bench {

inline context on_devices(const std::string& devices) {
  options chosen;
  chosen.devices = devices;
  return context(chosen);
}

inline vector<float> made(const context& ctx, std::int64_t n, const numbers& values) {
  vector<float> v(n, ctx);
  fill(ctx, v, values);
  return v;
}

/// Elements of ours against the rival's.
inline void require_same(const vector<float>& ours, const by_hand::device_floats& theirs, const std::string& row) {
  const std::int64_t n = ours.size();
  for (const std::int64_t at : {std::int64_t{0}, n / 3, n / 2, n - 1})
    require_close(static_cast<double>(ours[at]), static_cast<double>(theirs.at(at)), row);
}

}  // namespace tessera::bench
