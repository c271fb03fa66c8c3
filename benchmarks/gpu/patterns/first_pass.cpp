// Data four times the memory that the GPU may use: the first pass, for which host memory is page-locked, against one
// that finds all in place.
#include <algorithm>
#include <cstdio>
#include <fstream>

#include "benchmarks/gpu/gpu_benchmarks.h"
#include "benchmarks/gpu/patterns/gpu_case.h"

namespace tessera::bench {
namespace {

constexpr std::int64_t gib = std::int64_t{1} << 30;

/// What the system could still give to programs; 0 if it does not say.
std::int64_t available_memory() {
  std::ifstream file("/proc/meminfo");
  std::string word;
  std::int64_t kib = 0;
  while (file >> word)
    if (word == "MemAvailable:" && file >> kib) break;
  return kib << 10;
}

/// Passes of a kernel over data of which a quarter fits.
class passes {
 public:
  explicit passes(std::int64_t bytes) : elements_(bytes / 4), context_(with_a_quarter(bytes)) {
    run(context_.full<float>({256}, 1));  // the kernel is compiled
  }

  /// Seconds for making the data and the first pass over it.
  double first() {
    return seconds_of([&] {
      data_ = context_.full<float>({elements_}, 1);
      run(data_);
    });
  }
  double another() {
    return seconds_of([&] { run(data_); });
  }

 private:
  static options with_a_quarter(std::int64_t bytes) {
    options chosen = on_first_gpu();
    chosen.device_memory = std::to_string(bytes / 4);
    chosen.host_memory = std::to_string(bytes);
    return chosen;
  }
  void run(const array<float>& data) {
    kernel_.launch({.threads = {data.size()}}, static_cast<long long>(data.size()), data);
    context_.wait();
  }

  std::int64_t elements_;
  context context_;
  kernel kernel_ = context_.compile(
      "//@tessera global i => readwrite x[i]\n"
      "__global__ void scale(long long n, float* x) {\n"
      "  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) x[i] = 0.5f * x[i] + 1.0f;\n}\n",
      "scale");
  array<float> data_;
};

void measure_first_pass(session& s) {
  constexpr double seconds = 4;  // for 45 GiB
  const std::int64_t bytes = (s.quick() ? 4 : 45) * gib;
  const double limit = seconds * static_cast<double>(bytes) / (45.0 * gib);
  if (available_memory() < bytes / 4 * 5) {
    std::printf("patterns.spill.first_pass is left out: less than %lld GiB of host memory are free\n",
                static_cast<long long>(bytes / 4 * 5 / gib));
    return;
  }
  passes run(bytes);
  const double first = run.first();
  for (int k = 0; k < 2; ++k) run.another();
  s.add_figures("patterns.spill.first_pass", std::max(first - run.another(), 1e-3), limit,
                s.quick() ? "4 s for 45 GiB" : "a limit of 4 s", "s", 1.0);
}

}  // namespace

std::vector<benchmark> gpu_first_pass_benchmarks() { return {{"patterns.spill.first_pass", measure_first_pass}}; }

}  // namespace tessera::bench
