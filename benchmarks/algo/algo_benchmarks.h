#pragma once

#include "benchmarks/frame/harness.h"

/// The rows of tessera_bench_algo and, against CUDA, tessera_bench_algo_gpu: containers, skeletons, sorts.
namespace tessera::bench {

[[nodiscard]] std::vector<benchmark> container_benchmarks();
[[nodiscard]] std::vector<benchmark> skeleton_benchmarks();
[[nodiscard]] std::vector<benchmark> sort_benchmarks();
[[nodiscard]] std::vector<benchmark> compaction_benchmarks();
[[nodiscard]] std::vector<benchmark> algorithm_benchmarks();

[[nodiscard]] std::vector<benchmark> call_benchmarks();
[[nodiscard]] std::vector<benchmark> gpu_call_benchmarks();
[[nodiscard]] std::vector<benchmark> gpu_skeleton_benchmarks();
[[nodiscard]] std::vector<benchmark> gpu_algorithm_benchmarks();
/// What containers cost beside the launches: the host's window, launches that are divided.
[[nodiscard]] std::vector<benchmark> gpu_container_benchmarks();

}  // namespace tessera::bench
