#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tessera/base/geometry/box.h"

/// What benchmarks are given: arrays of numbers and files of the source tree.
namespace tessera::bench {

/// An array of floats, filled with numbers from [low, high) without any pattern.
struct array_input {
  extents shape;
  float low = 0;
  float high = 1;
  bool written = false;  ///< Compared after a run.
};

/// The numbers that an array starts with.
[[nodiscard]] std::vector<float> contents(const array_input& a, std::uint32_t seed);

/// Numbers of bins that n values fall into: `uniform`, all in `one_bin`, or as in `zipf`, bin k as often as 1 / (k +
/// 1).
[[nodiscard]] std::vector<int> bin_numbers(std::size_t n, int bins, const std::string& frequencies);

/// A file of the source tree; `file` is relative to its root.
[[nodiscard]] std::string source_path(const std::string& file);
/// A file of benchmarks/kernels.
[[nodiscard]] std::string kernel_path(const std::string& file);
/// Throws io_error if the file cannot be read.
[[nodiscard]] std::string read_text(const std::string& path);

}  // namespace tessera::bench
