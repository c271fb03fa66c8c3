// A loop of five operations that never looks at a value: neither the time of an iteration nor the memory of the process
// may grow.
//   long_loop ITERATIONS TIME_FACTOR MEMORY_FACTOR
#include <tessera/nd.h>
#include <tessera/tessera.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <thread>

namespace ts = tessera;
namespace nd = tessera::nd;

namespace {

constexpr std::int64_t n = 5000, window = 1000;
constexpr int windows = 5;

class loop {
 public:
  /// Five operations, two of them in place, one through views.
  void run(std::int64_t iterations) {
    for (std::int64_t k = 0; k < iterations; ++k) {
      x_ = x_ * 0.5 + y_;
      y_ *= -1.0;
      x_(nd::_(1, nd::end)) -= y_(nd::_(0, -1));
    }
  }
  /// Seconds of an iteration, in the fastest of some windows: others share the machine.
  double seconds() {
    double least = std::numeric_limits<double>::max();
    for (int k = 0; k < windows; ++k) {
      const auto begin = std::chrono::steady_clock::now();
      run(window);
      least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    return least / window;
  }

 private:
  nd::array x_ = nd::full<double>({n}, 1.0), y_ = nd::full<double>({n}, 2.0);
};

/// Until then kernels are evaluated, and take neither the time nor the memory that they take later.
void wait_for_compiled_kernels(ts::context& ctx, loop& tested) {
  for (int tries = 0; tries < 100; ++tries) {
    const std::int64_t before = ctx.stats().uncompiled_superblocks;
    tested.run(1000);
    ctx.wait();
    if (ctx.stats().uncompiled_superblocks == before) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

/// Holds up the device for so long that the program is ahead of it as far as it may: what is under way takes memory,
/// whether it is much at some time is an accident.
void run_ahead(ts::context& ctx, loop& tested) {
  const ts::kernel nap =
      ctx.native("nap", "int* y", "global i => write y[i]",
                 {{"cpu", [](ts::native_call&) { std::this_thread::sleep_for(std::chrono::milliseconds(500)); }}});
  const auto y = ctx.zeros<int>({1});
  for (int k = 0; k < 2; ++k) {
    nap.launch({.threads = {1}}, y);
    tested.run(20 * window);
  }
  ctx.wait();
}

std::int64_t resident_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return 1024 * std::stoll(line.substr(6));
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return std::puts("usage: long_loop ITERATIONS TIME_FACTOR MEMORY_FACTOR"), 2;
  const std::int64_t iterations = std::atoll(arguments[1]);
  const double time_factor = std::atof(arguments[2]), memory_factor = std::atof(arguments[3]);
  ts::context ctx(ts::options{.devices = "cpu"});
  ts::set_default_context(ctx);
  loop tested;
  wait_for_compiled_kernels(ctx, tested);
  run_ahead(ctx, tested);
  const double early = tested.seconds(), early_bytes = static_cast<double>(resident_bytes());
  tested.run(iterations);
  double late = tested.seconds();
  const double late_bytes = static_cast<double>(resident_bytes());
  for (int tries = 0; late > time_factor * early && tries < 10; ++tries) {  // what others do passes, growth does not
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    late = std::min(late, tested.seconds());
  }
  std::printf("%.2f us and %.1f MB at the beginning, %.2f us and %.1f MB %lld iterations later\n", early * 1e6,
              early_bytes / 1e6, late * 1e6, late_bytes / 1e6, static_cast<long long>(iterations));
  const bool is_flat = late <= time_factor * early && late_bytes <= memory_factor * early_bytes;
  std::puts(is_flat ? "flat" : "it grows");
  return is_flat ? 0 : 1;
}
