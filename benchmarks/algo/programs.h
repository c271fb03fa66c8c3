#pragma once

#include <tessera/algo.h>

/// Our side of rows; the same for CPUs and GPUs.
namespace tessera::bench {

inline auto map_of_three(float factor) {
  return map([factor](auto u, auto v, auto w) { return factor * u + v * w; });
}

inline value<float> dot(const vector<float>& x, const vector<float>& y) {
  return map_reduce(multiplies(), plus())(x, y);
}

}  // namespace tessera::bench
