// What a call costs where hardly anything is computed: launches with checks, against launches without.
#include <tessera/tessera.h>

#include <cstdint>
#include <vector>

#include "benchmarks/engine/engine_benchmarks.h"
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

 private:
  static constexpr std::int64_t elements = 1'000;

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

}  // namespace

std::vector<benchmark> latency_benchmarks() {
  // Half of what the checks added when they were measured first: 4.6 us without, 17 us with them.
  static constexpr double half_the_surplus = 0.43;
  return {
      {"patterns.checks.tiny_launch.guards", [](session& s) { measure_checks(s, "guards", half_the_surplus); }},
      {"patterns.checks.tiny_launch.unwritten", [](session& s) { measure_checks(s, "unwritten", half_the_surplus); }},
      {"patterns.checks.tiny_launch.all", [](session& s) { measure_checks(s, "all", std::nullopt); }}};
}

}  // namespace tessera::bench
