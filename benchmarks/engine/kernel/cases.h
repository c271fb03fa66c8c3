#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "benchmarks/frame/inputs.h"
#include "tessera/kernel/source/signature.h"

/// The kernels that are measured: what they are given, and how large.
namespace tessera::bench {

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
  /// kernels/NAME_cpu.inc is what CPU devices compile: `kernel_options::cpu_source`.
  bool has_cpu_text = false;

  [[nodiscard]] std::string path() const;      ///< Of the CUDA text.
  [[nodiscard]] std::string cpu_text() const;  ///< Empty if there is none.
  /// What CPU devices compile.
  [[nodiscard]] kernels::kernel_text parsed() const;
};

[[nodiscard]] std::vector<kernel_case> kernel_cases();

}  // namespace tessera::bench
