#include "benchmarks/harness.h"

namespace tessera::bench {

std::vector<benchmark> all_benchmarks() {
  std::vector<benchmark> all;
  for (auto* group : {task_benchmarks, planning_benchmarks, compile_benchmarks, host_benchmarks, memory_benchmarks,
                      kernel_benchmarks, block_benchmarks, end_to_end_benchmarks})
    for (benchmark& b : group()) all.push_back(std::move(b));
  return all;
}

}  // namespace tessera::bench
