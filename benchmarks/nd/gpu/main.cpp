#include <vector>

#include "benchmarks/frame/program.h"
#include "benchmarks/nd/nd_benchmarks.h"

int main(int argc, char** argv) {
  using namespace tessera::bench;
  std::vector<const char*> words(argv, argv + argc);
  words.insert(words.begin() + 1, {"--devices", "cuda:0"});  // unless the command line says otherwise
  return run_program(
      static_cast<int>(words.size()), words.data(),
      joined({gpu_overhead_benchmarks, gpu_pointwise_benchmarks, gpu_reduction_benchmarks, gpu_solver_benchmarks}));
}
