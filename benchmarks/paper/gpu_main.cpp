// The paper's programs on a GPU, against the same kernels launched by hand.
#include "benchmarks/frame/program.h"
#include "benchmarks/paper/rivals/cuda/cuda.h"
#include "benchmarks/paper/rows.h"

int main(int argc, char** argv) {
  using namespace tessera::bench;
  const auto make = [](const paper::paper_program& p, const paper::problem& size) {
    return paper::by_cuda(p.name, size);
  };
  std::vector<benchmark> all =
      paper::in_memory_rows({"CUDA by hand, the same kernels", make, &paper::paper_program::gpu_n, 0.98});
  for (benchmark& b : paper::against_one_device_rows(&paper::paper_program::gpu_n)) all.push_back(std::move(b));
  for (benchmark& b : paper::numpy_rows(&paper::paper_program::gpu_n, 57.2)) all.push_back(std::move(b));
  return run_program(argc, argv, all);
}
