#pragma once

#include <tessera/algo.h>

#include <string>

#include "benchmarks/frame/inputs.h"
#include "benchmarks/frame/rival_kernel.h"

/// Our side of rows; the same for CPUs and GPUs.
namespace tessera::bench {

/// One CPU device with all cores.
inline context one_cpu() {
  options chosen;
  chosen.devices = "cpu";
  return context(chosen);
}

/// A loop by hand with its best flags, in benchmarks/algo/rivals; it counts by chunks of so many elements.
inline constexpr long rival_chunk = 65536;
inline rival_kernel rival_loop(const std::string& name) {
  return {source_path("benchmarks/algo/rivals/" + name + "_rival.cpp"), rival_flags::best, {}};
}

inline auto map_of_three(float factor) {
  return map([factor](auto u, auto v, auto w) { return factor * u + v * w; });
}

inline value<float> dot(const vector<float>& x, const vector<float>& y) {
  return map_reduce(multiplies(), plus())(x, y);
}

}  // namespace tessera::bench
