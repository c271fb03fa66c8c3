#pragma once

#include "benchmarks/frame/harness.h"

/// The rows of tessera_bench: what the engine alone does on CPUs.
namespace tessera::bench {

[[nodiscard]] std::vector<benchmark> kernel_benchmarks();
[[nodiscard]] std::vector<benchmark> block_benchmarks();
[[nodiscard]] std::vector<benchmark> end_to_end_benchmarks();
[[nodiscard]] std::vector<benchmark> compile_benchmarks();
[[nodiscard]] std::vector<benchmark> task_benchmarks();
[[nodiscard]] std::vector<benchmark> planning_benchmarks();
[[nodiscard]] std::vector<benchmark> history_benchmarks();
[[nodiscard]] std::vector<benchmark> placement_benchmarks();
[[nodiscard]] std::vector<benchmark> loop_benchmarks();
[[nodiscard]] std::vector<benchmark> allocation_benchmarks();
[[nodiscard]] std::vector<benchmark> latency_benchmarks();
[[nodiscard]] std::vector<benchmark> conjugate_gradient_benchmarks();
[[nodiscard]] std::vector<benchmark> host_benchmarks();
[[nodiscard]] std::vector<benchmark> memory_benchmarks();

/// Benchmarks of these on devices of another kind.
[[nodiscard]] std::vector<benchmark> history_benchmarks_on(const std::string& kind);
[[nodiscard]] std::vector<benchmark> placement_benchmarks_on(const std::string& kind);
[[nodiscard]] benchmark read_benchmark_on(const std::string& kind);

}  // namespace tessera::bench
