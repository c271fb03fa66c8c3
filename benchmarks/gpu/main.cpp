#include "benchmarks/engine/engine_benchmarks.h"
#include "benchmarks/frame/program.h"
#include "benchmarks/gpu/gpu_benchmarks.h"

int main(int argc, char** argv) {
  using namespace tessera::bench;
  const auto placement = [] { return placement_benchmarks_on("cuda"); };
  return run_program(argc, argv,
                     joined({in_memory_benchmarks, tiny_kernel_benchmarks, placement, gpu_memory_benchmarks}));
}
