#include "benchmarks/frame/program.h"
#include "benchmarks/nd/nd_benchmarks.h"

int main(int argc, char** argv) {
  using namespace tessera::bench;
  return run_program(argc, argv,
                     joined({overhead_benchmarks, pointwise_benchmarks, reduction_benchmarks, solver_benchmarks,
                             linear_algebra_benchmarks, transform_benchmarks}));
}
