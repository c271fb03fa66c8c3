#pragma once

#include "benchmarks/frame/harness.h"

namespace tessera::bench {

/// Whole programs whose data fits on the GPU, against the same kernels launched by hand, and split over four logical
/// devices against one.
[[nodiscard]] std::vector<benchmark> in_memory_benchmarks();

/// Long chains of dependent kernels that do next to nothing, and where their time goes.
[[nodiscard]] std::vector<benchmark> tiny_kernel_benchmarks();

/// Data twice the memory that the GPU may use for it.
[[nodiscard]] std::vector<benchmark> gpu_memory_benchmarks();

/// Kernels with `reduce(+)`.
[[nodiscard]] std::vector<benchmark> gpu_reduction_benchmarks();

/// Common forms of kernels that do not reduce.
[[nodiscard]] std::vector<benchmark> gpu_kernel_benchmarks();

/// Conjugate gradients, and steps whose result the host reads.
[[nodiscard]] std::vector<benchmark> gpu_solver_benchmarks();

/// Calls over hardly any data, arrays made anew, results that are read.
[[nodiscard]] std::vector<benchmark> gpu_call_benchmarks();

/// Memory that leaves the GPU for the first time.
[[nodiscard]] std::vector<benchmark> gpu_first_pass_benchmarks();

}  // namespace tessera::bench
