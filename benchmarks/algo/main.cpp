#include "benchmarks/algo/algo_benchmarks.h"
#include "benchmarks/frame/program.h"

int main(int argc, char** argv) {
  using namespace tessera::bench;
  return run_program(argc, argv,
                     joined({container_benchmarks, skeleton_benchmarks, compaction_benchmarks, algorithm_benchmarks,
                             call_benchmarks, sort_benchmarks}));
}
