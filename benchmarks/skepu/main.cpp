#include "benchmarks/frame/program.h"
#include "benchmarks/skepu/skepu_benchmarks.h"

int main(int argc, char** argv) {
  using namespace tessera::bench;
  return run_program(argc, argv,
                     joined({skepu::table_benchmarks, skepu::figure_benchmarks, skepu::overhead_benchmarks}));
}
