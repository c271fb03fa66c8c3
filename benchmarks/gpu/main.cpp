#include "benchmarks/engine/engine_benchmarks.h"
#include "benchmarks/frame/program.h"
#include "benchmarks/gpu/gpu_benchmarks.h"

int main(int argc, char** argv) {
  using namespace tessera::bench;
  const auto placement = [] { return placement_benchmarks_on("cuda"); };
  const auto history = [] { return history_benchmarks_on("cuda:0"); };
  return run_program(argc, argv,
                     joined({in_memory_benchmarks, tiny_kernel_benchmarks, placement, history, gpu_reduction_benchmarks,
                             gpu_kernel_benchmarks, gpu_solver_benchmarks, gpu_call_benchmarks,
                             gpu_first_pass_benchmarks, gpu_memory_benchmarks}));
}
