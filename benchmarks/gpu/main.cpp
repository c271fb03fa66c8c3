#include "benchmarks/frame/program.h"
#include "benchmarks/gpu/gpu_benchmarks.h"

int main(int argc, char** argv) {
  using namespace tessera::bench;
  return run_program(argc, argv, joined({in_memory_benchmarks, tiny_kernel_benchmarks, gpu_memory_benchmarks}));
}
