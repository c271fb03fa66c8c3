// The paper's programs on a GPU, against the same kernels launched by hand.
#include "benchmarks/frame/program.h"
#include "benchmarks/gpu/by_hand.h"
#include "benchmarks/paper/rivals/cuda/cuda.h"
#include "benchmarks/paper/rows.h"

namespace {

/// Bytes per second from page-locked memory of the host to the GPU; measured once.
double link_rate() {
  static const double rate = [] {
    constexpr std::int64_t bytes = std::int64_t{1} << 30;
    const tessera::bench::by_hand::host_copies link(bytes, true);
    std::vector<double> times;
    for (int k = 0; k < 6; ++k) times.push_back(tessera::bench::seconds_of([&] { link.run_back(); }));
    return static_cast<double>(bytes) / tessera::bench::quantile(times, 0);
  }();
  return rate;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tessera::bench;
  const auto make = [](const paper::paper_program& p, const paper::problem& size) {
    return paper::by_cuda(p.name, size);
  };
  const paper::own_side own{&paper::paper_program::gpu_n, 10e9, link_rate};
  std::vector<benchmark> all =
      paper::in_memory_rows({"CUDA by hand, the same kernels", make, &paper::paper_program::gpu_n, 0.98});
  for (benchmark& b : paper::beyond_memory_rows(own)) all.push_back(std::move(b));
  for (benchmark& b : paper::weak_scaling_rows(own)) all.push_back(std::move(b));
  // Matrices of 5 and 20 GB, and of 80 GB.
  const paper::numpy_side numpy{{1'250'000'000, 5'000'000'000}, {20'000'000'000}, 57.2};
  for (benchmark& b : paper::numpy_rows(numpy)) all.push_back(std::move(b));
  return run_program(argc, argv, all);
}
