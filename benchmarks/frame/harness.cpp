#include "benchmarks/frame/harness.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

#include "tessera/base/text.h"

namespace tessera::bench {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const double at = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const auto above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

comparison summary_of(const std::vector<double>& our_times, const std::vector<double>& rival_times) {
  std::vector<double> ratios;
  for (std::size_t k = 0; k < our_times.size(); ++k) ratios.push_back(rival_times[k] / our_times[k]);
  return {quantile(our_times, 0.5), quantile(rival_times, 0.5), quantile(ratios, 0.5), quantile(ratios, 0.25),
          quantile(ratios, 0.75)};
}

comparison compare(const timed_run& ours, const timed_run& rival, const pairing& settings) {
  bool ours_first = false;
  const auto pair = [&] {
    double our_time = 0, rival_time = 0;
    for (int burst = 0; burst < settings.bursts; ++burst) {
      ours_first = !ours_first;
      if (ours_first) our_time += ours();
      rival_time += rival();
      if (!ours_first) our_time += ours();
    }
    return std::pair(our_time, rival_time);
  };
  for (int k = 0; k < settings.warm_up; ++k) pair();
  std::vector<double> our_times, rival_times;
  const double deadline = now() + settings.seconds;
  for (int k = 0; k < settings.pairs || (k < settings.most_pairs && now() < deadline); ++k) {
    const auto [our_time, rival_time] = pair();
    our_times.push_back(our_time);
    rival_times.push_back(rival_time);
  }
  return summary_of(our_times, rival_times);
}

std::vector<std::int64_t> size_steps(std::int64_t first, std::int64_t last, double factor) {
  std::vector<std::int64_t> sizes;
  for (auto size = static_cast<double>(first); size < static_cast<double>(last) / std::sqrt(factor); size *= factor)
    sizes.push_back(std::llround(size));
  sizes.push_back(last);
  return sizes;
}

std::string session::devices(int count) const { return count == 1 ? devices_ : cat(devices_, "*", count); }

pairing session::scaled(pairing settings) const {
  if (!quick_) return settings;
  settings.pairs = 5;
  settings.warm_up = 1;
  settings.bursts = std::min(settings.bursts, 2);
  settings.seconds = 0.1;
  return settings;
}

void session::add_times(const std::string& name, const comparison& times, const std::string& rival_name, double scale,
                        const std::string& unit, std::optional<double> target) {
  add({name, times.ours * scale, times.rival * scale, rival_name, unit, times.ratio, times.low, times.high, target});
}

void session::add_point(const std::string& series, std::int64_t size, const comparison& times,
                        const std::string& rival_name, double scale, const std::string& unit,
                        std::optional<double> target) {
  add({cat(series, ".", size), times.ours * scale, times.rival * scale, rival_name, unit, times.ratio, times.low,
       times.high, target, series, static_cast<double>(size)});
}

void session::add_figures(const std::string& name, double ours, double rival, const std::string& rival_name,
                          const std::string& unit, std::optional<double> target) {
  const double ratio = rival / ours;
  add({name, ours, rival, rival_name, unit, ratio, ratio, ratio, target});
}

void session::add(row r) {
  if (rows_.empty()) print_table_head();
  print_row(r);
  rows_.push_back(std::move(r));
}

std::vector<benchmark> joined(const std::vector<benchmark_group>& groups) {
  std::vector<benchmark> all;
  for (const benchmark_group group : groups)
    for (benchmark& b : group()) all.push_back(std::move(b));
  return all;
}

}  // namespace tessera::bench
