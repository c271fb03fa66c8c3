#include "benchmarks/engine/engine_benchmarks.h"
#include "benchmarks/frame/program.h"

int main(int argc, char** argv) {
  using namespace tessera::bench;
  return run_program(
      argc, argv,
      joined({task_benchmarks, planning_benchmarks, history_benchmarks, placement_benchmarks, loop_benchmarks,
              allocation_benchmarks, latency_benchmarks, conjugate_gradient_benchmarks, compile_benchmarks,
              host_benchmarks, memory_benchmarks, kernel_benchmarks, block_benchmarks, end_to_end_benchmarks}));
}
