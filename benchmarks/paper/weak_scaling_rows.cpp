// Problems that grow with the number of logical devices.
#include <algorithm>
#include <memory>

#include "benchmarks/paper/contest.h"
#include "benchmarks/paper/rows.h"
#include "tessera/base/text.h"

namespace tessera::bench::paper {
namespace {

constexpr int most_devices = 8;

/// Logical devices share the hardware: where nothing is lost, P of them do P times the work in P times the time.
void measure_weak(session& s, const paper_program& p, const own_side& side) {
  const std::int64_t one = std::max<std::int64_t>(1, size_for(s, p, side.size) / most_devices);
  const int runs = s.quick() ? 3 : 5;
  double alone = 0;
  for (int devices = 1; devices <= most_devices; devices *= 2) {
    const auto ours = p.ours(context(on(s.devices(devices))), {one * devices});
    const double seconds = median_time(*ours, runs);
    if (devices == 1) alone = seconds;
    const double ratio = alone * devices / seconds;
    s.add_point("paper.weak." + p.name, devices, {seconds, alone * devices, ratio, ratio, ratio},
                "one device, the same work for each", 1e3, "ms", devices > 1 ? std::optional(0.9) : std::nullopt);
  }
}

}  // namespace

std::vector<benchmark> weak_scaling_rows(const own_side& side) {
  std::vector<benchmark> all;
  for (const paper_program& p : paper_programs())
    all.push_back({"paper.weak." + p.name, [&p, side](session& s) { measure_weak(s, p, side); }});
  return all;
}

}  // namespace tessera::bench::paper
