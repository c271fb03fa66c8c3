// What a call costs where hardly anything is computed: launches with checks, against launches without; calls that the
// program waits for, against a loop on a team of threads.
#include <optional>
#include <thread>
#include <vector>

#include "benchmarks/engine/engine_benchmarks.h"
#include "benchmarks/engine/patterns/tiny_launches.h"
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

void measure_checks(session& s, const char* checks, std::optional<double> target) {
  tiny_launches checked(on_one_device(checks)), unchecked(on_one_device());
  s.add_times(cat("patterns.checks.tiny_launch.", checks),
              compare([&] { return checked.run(); }, [&] { return unchecked.run(); }, s.scaled({})), "ours, unchecked",
              1e6 / tiny_launches::launches, "us/launch", target);
}

/// The work of `tiny_launches` as a loop by hand, a call after the other.
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
