#include <tessera/tessera.h>

#include <chrono>
#include <thread>

#include "benchmarks/frame/inputs.h"
#include "benchmarks/gpu/gpu_benchmarks.h"
#include "benchmarks/gpu/rival.h"

namespace tessera::bench {
namespace {

constexpr int launches = 10'000;
constexpr std::int64_t elements = 256;

/// A loop of dependent stencil steps on one block of threads.
class tiny_loop {
 public:
  tiny_loop()
      : kernel_(context_.load_kernel(kernel_path("stencil.cu"))),
        input_(context_.from<float>({elements}, contents({{elements}}, 1))),
        output_(context_.empty<float>({elements})) {}

  void run(int times) {
    const double begin = now();
    for (int k = 0; k < times; ++k) {
      kernel_.launch({.threads = {elements}, .block = {256}}, static_cast<int>(elements), output_, input_);
      std::swap(input_, output_);
    }
    submitted_ += now() - begin;
    context_.wait();
    launched_ += times;
  }
  /// Seconds of the user's thread per launch.
  [[nodiscard]] double submit_seconds() const { return submitted_ / static_cast<double>(launched_); }
  /// Seconds of the planner's thread per launch.
  [[nodiscard]] double planning_seconds() {
    return static_cast<double>(context_.stats().planning_ns) * 1e-9 / static_cast<double>(launched_);
  }

 private:
  static options on_gpu() {
    options settings;
    settings.devices = "cuda:0";
    return settings;
  }
  context context_{on_gpu()};
  kernel kernel_;
  array<float> input_, output_;
  double submitted_ = 0;
  std::int64_t launched_ = 0;
};

/// One launch and the wait for it, from rest: what a run costs besides its kernels.
void measure_round_trip(session& s) {
  tiny_loop ours;
  const auto rival = rival_stencil(contents({{elements}}, 1));
  const auto rested = [](const auto& run) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return seconds_of(run);
  };
  const comparison c = compare([&] { return rested([&] { ours.run(1); }); },
                               [&] { return rested([&] { rival->run(1); }); }, s.scaled({.pairs = 25}));
  s.add_times("gpu.round_trip", c, "CUDA, a bare launch", 1e6, "us", std::nullopt);
}

void measure(session& s) {
  tiny_loop ours;
  const auto rival = rival_stencil(contents({{elements}}, 1));
  const comparison c = compare([&] { return seconds_of([&] { ours.run(launches); }); },
                               [&] { return seconds_of([&] { rival->run(launches); }); }, s.scaled({.pairs = 15}));
  constexpr double microseconds = 1e6 / launches;
  constexpr double limit = 10;
  s.add_times("gpu.tiny.bare", c, "CUDA, bare launches", microseconds, "us/kernel", std::nullopt);
  const double each = c.ours * microseconds;
  s.add_figures("gpu.tiny", each, limit, "a limit", "us/kernel", 1.0);
  s.add({"gpu.tiny.user_thread", ours.submit_seconds() * 1e6, 0, "", "us/kernel", 0, 0, 0, std::nullopt});
  s.add({"gpu.tiny.planner_thread", ours.planning_seconds() * 1e6, 0, "", "us/kernel", 0, 0, 0, std::nullopt});
}

}  // namespace

std::vector<benchmark> tiny_kernel_benchmarks() {
  return {{"gpu.tiny", measure}, {"gpu.round_trip", measure_round_trip}};
}

}  // namespace tessera::bench
