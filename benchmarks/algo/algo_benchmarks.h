#pragma once

#include "benchmarks/frame/harness.h"

/// The rows of tessera_bench_algo: containers and skeletons.
namespace tessera::bench {

[[nodiscard]] std::vector<benchmark> container_benchmarks();
[[nodiscard]] std::vector<benchmark> skeleton_benchmarks();

}  // namespace tessera::bench
