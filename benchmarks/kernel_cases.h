#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "tessera/base/geometry/box.h"

/// The kernels that are measured: what they are given, and how large.
namespace tessera::bench {

/// An array of floats, filled with numbers from [low, high) without any pattern.
struct array_input {
  extents shape;
  float low = 0;
  float high = 1;
  bool written = false;  ///< Compared after a run.
};

/// One problem: a launch and its arguments in the kernel's order.
struct problem {
  extents threads, block;
  std::int64_t items = 0;  ///< What the rival counts in: elements, or rows in 2-D.
  std::vector<std::variant<int, float, array_input>> arguments;
  /// Arrays that change places after every step of a loop; none if both are 0.
  int swapped[2] = {0, 0};
};

struct kernel_case {
  std::string name;      ///< Also of kernels/NAME.cu and kernels/NAME_rival.cpp.
  problem large, small;  ///< Of 1e7 and 1e5 elements, or as much work.
  std::string large_size, small_size;
  double tolerance = 0;  ///< Relative to the largest result: how far the rival with its best flags may be off.
};

[[nodiscard]] std::vector<kernel_case> kernel_cases();

/// The numbers that an array starts with.
[[nodiscard]] std::vector<float> contents(const array_input& a, std::uint32_t seed);

/// A file of benchmarks/kernels.
[[nodiscard]] std::string kernel_path(const std::string& file);
[[nodiscard]] std::string read_text(const std::string& path);

}  // namespace tessera::bench
