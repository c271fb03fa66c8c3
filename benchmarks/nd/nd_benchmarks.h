#pragma once

#include "benchmarks/frame/harness.h"

/// The rows of tessera_bench_nd and, against CUDA, tessera_bench_nd_gpu: arrays as in NumPy.
namespace tessera::bench {

/// What recording and planning cost the calling thread.
[[nodiscard]] std::vector<benchmark> overhead_benchmarks();
/// Operations element by element, and stencils.
[[nodiscard]] std::vector<benchmark> pointwise_benchmarks();
[[nodiscard]] std::vector<benchmark> reduction_benchmarks();
/// Programs of several launches that depend on each other.
[[nodiscard]] std::vector<benchmark> solver_benchmarks();

/// Products of matrices and factorisations.
[[nodiscard]] std::vector<benchmark> linear_algebra_benchmarks();
/// Fourier transforms; none where FFTW was not found.
[[nodiscard]] std::vector<benchmark> transform_benchmarks();

[[nodiscard]] std::vector<benchmark> gpu_overhead_benchmarks();
[[nodiscard]] std::vector<benchmark> gpu_pointwise_benchmarks();
[[nodiscard]] std::vector<benchmark> gpu_reduction_benchmarks();
[[nodiscard]] std::vector<benchmark> gpu_solver_benchmarks();

}  // namespace tessera::bench
