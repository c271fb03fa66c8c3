#include <vector>

#include "benchmarks/algo/algo_benchmarks.h"
#include "benchmarks/frame/program.h"

int main(int argc, char** argv) {
  using namespace tessera::bench;
  std::vector<const char*> words(argv, argv + argc);
  words.insert(words.begin() + 1, {"--devices", "cuda:0"});  // unless the command line says otherwise
  return run_program(
      static_cast<int>(words.size()), words.data(),
      joined({gpu_skeleton_benchmarks, gpu_algorithm_benchmarks, gpu_call_benchmarks, gpu_container_benchmarks}));
}
