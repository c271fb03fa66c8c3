#include "benchmarks/gpu/gpu_benchmarks.h"

namespace tessera::bench {

std::vector<benchmark> all_benchmarks() {
  std::vector<benchmark> all;
  for (auto* group : {in_memory_benchmarks, tiny_kernel_benchmarks, gpu_memory_benchmarks})
    for (benchmark& b : group()) all.push_back(std::move(b));
  return all;
}

}  // namespace tessera::bench
