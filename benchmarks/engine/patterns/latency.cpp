// What a call costs where hardly anything is computed: launches with checks, against launches without; calls that the
// program waits for, against a loop on a team of threads.
#include <tessera/tessera.h>

#include <cstdint>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "benchmarks/engine/engine_benchmarks.h"
#include "benchmarks/frame/thread_team.h"
#include "tessera/base/text.h"

namespace tessera::bench {
namespace {

options on_one_device(const char* checks = "") {
  options chosen;
  chosen.devices = "cpu";
  chosen.check = parse_checks(checks);
  return chosen;
}

/// Launches over arrays so small that calls are all that takes time.
class tiny_launches {
 public:
  static constexpr int launches = 1'000;

  explicit tiny_launches(const options& chosen) : context_(chosen) {}

  /// A stream of launches and the wait for the last.
  double run() {
    return seconds_of([&] {
      for (int k = 0; k < launches; ++k) launch();
      context_.wait();
    });
  }

  /// Launches that are waited for one by one.
  double run_waiting() {
    return repeated([&] {
      launch();
      context_.wait();
    });
  }
  /// Launches each of which is read.
  double run_reading() {
    float first = 0;
    return repeated([&] {
      launch();
      y_.slice({{0, 1}}).read_async(std::span(&first, 1)).wait();
    });
  }
  /// Writes of one element.
  double run_writing() {
    const float value = 1;
    return repeated([&] { x_.slice({{7, 8}}).write(std::span(&value, 1)); });
  }

  template <class Call>
  static double repeated(Call call) {
    return seconds_of([&] {
      for (int k = 0; k < launches; ++k) call();
    });
  }

  static constexpr std::int64_t elements = 1'000;

 private:
  void launch() { kernel_.launch({.threads = {elements}, .block = {256}}, static_cast<int>(elements), y_, x_); }

  context context_;
  kernel kernel_ = context_.compile(
      "//@tessera global i => read x[i], write y[i]\n"
      "__global__ void add_one(int n, float* y, const float* x) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) y[i] = x[i] + 1;\n}\n",
      "add_one");
  array<float> x_ = context_.full<float>({elements}, 1), y_ = context_.empty<float>({elements});
};

void measure_checks(session& s, const char* checks, std::optional<double> target) {
  tiny_launches checked(on_one_device(checks)), unchecked(on_one_device());
  s.add_times(cat("patterns.checks.tiny_launch.", checks),
              compare([&] { return checked.run(); }, [&] { return unchecked.run(); }, s.scaled({})), "ours, unchecked",
              1e6 / tiny_launches::launches, "us/launch", target);
}

/// The same work as a loop by hand, a call after the other.
class tiny_loops {
 public:
  double run() {
    return tiny_launches::repeated([&] {
      team_.run(tiny_launches::elements, [&](auto begin, auto end) {
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) y_[i] = x_[i] + 1;
      });
    });
  }

 private:
  thread_team team_{static_cast<int>(std::thread::hardware_concurrency())};
  std::vector<float> x_ = std::vector<float>(tiny_launches::elements, 1), y_ = x_;
};

void measure_latency(session& s, const char* name, double (tiny_launches::*run)()) {
  tiny_launches ours(on_one_device());
  tiny_loops rival;
  s.add_times(cat("patterns.latency.", name),
              compare([&] { return (ours.*run)(); }, [&] { return rival.run(); }, s.scaled({})),
              "a loop on a team of threads", 1e6 / tiny_launches::launches, "us", std::nullopt);
}

}  // namespace

std::vector<benchmark> latency_benchmarks() {
  // Half of what the checks added when they were measured first: 4.6 us without, 17 us with them.
  static constexpr double half_the_surplus = 0.43;
  return {
      {"patterns.checks.tiny_launch.guards", [](session& s) { measure_checks(s, "guards", half_the_surplus); }},
      {"patterns.checks.tiny_launch.unwritten", [](session& s) { measure_checks(s, "unwritten", half_the_surplus); }},
      {"patterns.checks.tiny_launch.all", [](session& s) { measure_checks(s, "all", std::nullopt); }},
      {"patterns.latency.stream", [](session& s) { measure_latency(s, "stream", &tiny_launches::run); }},
      {"patterns.latency.launch", [](session& s) { measure_latency(s, "launch", &tiny_launches::run_waiting); }},
      {"patterns.latency.launch_read",
       [](session& s) { measure_latency(s, "launch_read", &tiny_launches::run_reading); }},
      {"patterns.latency.write", [](session& s) { measure_latency(s, "write", &tiny_launches::run_writing); }}};
}

}  // namespace tessera::bench
