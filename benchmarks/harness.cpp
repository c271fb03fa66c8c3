#include "benchmarks/harness.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "tessera/base/text.h"

namespace tessera::bench {
namespace {

constexpr const char* header_line =
    "benchmark                                            ours        rival  unit          ratio   quartiles      "
    "target";

/// A number with few digits that JSON takes; null for what is not finite.
std::string number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string verdict(const row& r) {
  if (!r.target) return "";
  char text[64];
  std::snprintf(text, sizeof text, "%6.3f %s", *r.target, r.ratio >= *r.target ? "met" : "MISSED");
  return text;
}

void print(const row& r) {
  if (r.rival > 0)
    std::printf("%-46s %10.4g %12.4g  %-12s %6.3f  [%.2f, %.2f]  %s\n", r.name.c_str(), r.ours, r.rival, r.unit.c_str(),
                r.ratio, r.low, r.high, verdict(r).c_str());
  else
    std::printf("%-46s %10.4g %12s  %-12s\n", r.name.c_str(), r.ours, "", r.unit.c_str());
  std::fflush(stdout);
}

}  // namespace

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const double at = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const auto above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

comparison compare(const timed_run& ours, const timed_run& rival, const pairing& how) {
  bool ours_first = false;
  const auto pair = [&] {
    double our_time = 0, rival_time = 0;
    for (int burst = 0; burst < how.bursts; ++burst) {
      ours_first = !ours_first;
      if (ours_first) our_time += ours();
      rival_time += rival();
      if (!ours_first) our_time += ours();
    }
    return std::pair(our_time, rival_time);
  };
  for (int k = 0; k < how.warm_up; ++k) pair();
  std::vector<double> our_times, rival_times, ratios;
  const double deadline = now() + how.seconds;
  for (int k = 0; k < how.pairs || (k < how.most_pairs && now() < deadline); ++k) {
    const auto [our_time, rival_time] = pair();
    our_times.push_back(our_time);
    rival_times.push_back(rival_time);
    ratios.push_back(rival_time / our_time);
  }
  return {quantile(our_times, 0.5), quantile(rival_times, 0.5), quantile(ratios, 0.5), quantile(ratios, 0.25),
          quantile(ratios, 0.75)};
}

pairing session::scaled(pairing how) const {
  if (!quick_) return how;
  how.pairs = 5;
  how.warm_up = 1;
  how.bursts = std::min(how.bursts, 2);
  how.seconds = 0.1;
  return how;
}

void session::add_times(const std::string& name, const comparison& times, const std::string& rival_name, double scale,
                        const std::string& unit, std::optional<double> target) {
  add({name, times.ours * scale, times.rival * scale, rival_name, unit, times.ratio, times.low, times.high, target});
}

void session::add(row r) {
  if (rows_.empty()) std::printf("%s\n", header_line);
  print(r);
  rows_.push_back(std::move(r));
}

std::string to_json(const std::vector<row>& rows) {
  std::string text = "[";
  for (const row& r : rows) {
    const bool compared = r.rival > 0;
    const auto or_null = [&](double value) { return compared ? number(value) : "null"; };
    text += cat(text.size() > 1 ? ",\n " : "\n ", "{\"name\": \"", r.name, "\", \"ours\": ", number(r.ours),
                ", \"rival\": ", or_null(r.rival), ", \"rival_name\": \"", r.rival_name, "\", \"unit\": \"", r.unit,
                "\", \"ratio\": ", or_null(r.ratio),
                ", \"spread\": ", compared ? cat("[", number(r.low), ", ", number(r.high), "]") : "null",
                ", \"target\": ", r.target ? number(*r.target) : "null", "}");
  }
  return text + "\n]\n";
}

}  // namespace tessera::bench
