// Common forms of kernels on CPUs, against loops written by hand on as many threads: indices of 64 bits, loops over the
// grid's stride, loops within a thread, histograms. The rivals are compiled with the flags that kernels get.
#include <tessera/tessera.h>

#include <cstring>
#include <thread>
#include <vector>

#include "benchmarks/engine/engine_benchmarks.h"
#include "benchmarks/frame/inputs.h"
#include "benchmarks/frame/rival_kernel.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/kernel/wrap/cpu_wrapper.h"

namespace tessera::bench {
namespace {

constexpr int launches = 10;  // between two looks at the clock

options on_one_device() {
  options chosen;
  chosen.devices = "cpu";
  return chosen;
}

/// The sides of one row: our kernel on a context of its own, the rival on a team of threads.
class opponents {
 public:
  opponents(const std::string& kernel, const std::string& rival)
      : kernel_(context_.load_kernel(kernel_path(kernel + ".cu"))),
        rival_(kernel_path(rival + "_rival.cpp"), rival_flags::same,
               kernels::cpu_flags(kernels::parse_kernel(read_text(kernel_path(kernel + ".cu")), kernel))) {}

  context& ctx() { return context_; }

  /// `launch(kernel)` is our step, the rival's is its function on `items` items.
  template <class Launch>
  void measure(session& s, const std::string& name, double target, std::int64_t items, std::vector<void*> parameters,
               Launch launch) {
    const auto ours = [&] {
      for (int k = 0; k < launches; ++k) launch(kernel_);
      context_.wait();
    };
    const auto theirs = [&] {
      for (int k = 0; k < launches; ++k) rival_.run(team_, items, parameters);
    };
    ours();
    theirs();
    const comparison times =
        compare([&] { return seconds_of(ours); }, [&] { return seconds_of(theirs); }, s.scaled({}));
    s.add_times(cat("loops.", name), times, "threaded loop", 1e3 / launches, "ms", target);
  }

 private:
  context context_{on_one_device()};
  kernel kernel_;
  rival_kernel rival_;
  thread_team team_{static_cast<int>(std::thread::hardware_concurrency())};
};

void measure_axpy(session& s, const std::string& kernel, const std::string& name, std::int64_t threads) {
  opponents both(kernel, "axpy");
  int n = s.quick() ? 100'000 : 10'000'000;
  float a = 0.5f;
  std::vector<float> x(static_cast<std::size_t>(n), 0.25f), y(static_cast<std::size_t>(n), 1);
  auto ours_x = both.ctx().from<float>({n}, x);
  auto ours_y = both.ctx().from<float>({n}, y);
  float *px = x.data(), *py = y.data();
  both.measure(s, name, 0.80, n, {&n, &a, &px, &py}, [&](const tessera::kernel& k) {
    k.launch({.threads = {threads > 0 ? threads : n}, .block = {256}}, n, a, ours_x, ours_y);
  });
}

void measure_bytes(session& s) {
  opponents both("wide_bytes", "wide_bytes");
  int n = s.quick() ? 1'000'000 : 100'000'000;
  std::vector<unsigned char> y(static_cast<std::size_t>(n));
  auto ours = both.ctx().from<unsigned char>({n}, y);
  unsigned char* py = y.data();
  both.measure(s, "wide_bytes", 0.80, n, {&n, &py},
               [&](const tessera::kernel& k) { k.launch({.threads = {n}, .block = {256}}, n, ours); });
}

void measure_product(session& s) {
  opponents both("naive_product", "naive_product");
  int n = s.quick() ? 128 : 512;
  std::vector<float> a(static_cast<std::size_t>(n * n), 0.5f), b = a, c = a;
  auto ours_a = both.ctx().from<float>({n, n}, a), ours_b = both.ctx().from<float>({n, n}, b);
  auto ours_c = both.ctx().zeros<float>({n, n});
  float *pa = a.data(), *pb = b.data(), *pc = c.data();
  both.measure(s, "naive_product", 0.50, n, {&n, &pa, &pb, &pc}, [&](const tessera::kernel& k) {
    k.launch({.threads = {n, n}, .block = {16, 16}}, n, ours_a, ours_b, ours_c);
  });
}

void measure_monte_carlo(session& s) {
  opponents both("monte_carlo", "monte_carlo");
  int n = s.quick() ? 10'000 : 1'000'000, steps = 100;
  std::vector<float> y(static_cast<std::size_t>(n));
  auto ours = both.ctx().zeros<float>({n});
  float* py = y.data();
  both.measure(s, "monte_carlo", 0.50, n, {&n, &steps, &py},
               [&](const tessera::kernel& k) { k.launch({.threads = {n}, .block = {256}}, n, steps, ours); });
}

void measure_histogram(session& s, const std::string& kernel, int bins, const std::string& frequencies) {
  opponents both(kernel, "histogram");
  int n = s.quick() ? 100'000 : 10'000'000;
  std::vector<int> x = bin_numbers(static_cast<std::size_t>(n), bins, frequencies);
  std::vector<unsigned> counts(static_cast<std::size_t>(bins));
  auto ours_x = both.ctx().from<int>({n}, x);
  auto ours_counts = both.ctx().zeros<unsigned>({bins});
  int* px = x.data();
  unsigned* pc = counts.data();
  both.measure(s, cat(kernel, ".", frequencies, ".", bins), 0.80, n, {&n, &px, &pc, &bins},
               [&](const tessera::kernel& k) { k.launch({.threads = {n}, .block = {256}}, n, ours_x, ours_counts); });
}

}  // namespace

std::vector<benchmark> loop_benchmarks() {
  std::vector<benchmark> all;
  for (const std::int64_t blocks : {64, 1024, 4096})
    all.push_back({cat("loops.grid_stride.", blocks),
                   [=](session& s) { measure_axpy(s, "grid_stride", cat("grid_stride.", blocks), blocks * 256); }});
  all.push_back({"loops.wide_axpy", [](session& s) { measure_axpy(s, "wide_axpy", "wide_axpy", 0); }});
  all.push_back({"loops.wide_bytes", measure_bytes});
  all.push_back({"loops.naive_product", measure_product});
  all.push_back({"loops.monte_carlo", measure_monte_carlo});
  for (const std::string kernel : {"histogram", "histogram_reduce"})
    for (const int bins : {256, 65536})
      for (const std::string frequencies : {"uniform", "one_bin", "zipf"})
        all.push_back({cat("loops.", kernel, ".", frequencies, ".", bins),
                       [=](session& s) { measure_histogram(s, kernel, bins, frequencies); }});
  return all;
}

}  // namespace tessera::bench
