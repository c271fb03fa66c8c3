#include "tessera/algo/exec/placement/estimate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

/// What a call takes on devices of a kind of which nothing was measured.
struct usual_speed {
  double launch;            // seconds
  double bytes_per_second;  // of one device
};
usual_speed usual(const std::string& kind) {
  if (kind == "cpu") return {5e-6, 10e9};
  return {10e-6, 1e12};
}

double seconds_in_place(const tuning_table& table, const call_facts& call, const kind_facts& kind) {
  const std::int64_t bytes = call.bytes();
  const std::string devices = kind.label();
  if (const auto own = table.seconds(devices, function_row(call.skeleton, call.function), bytes)) return *own;
  if (const auto any = table.seconds(devices, call.skeleton, bytes)) return *any;
  const usual_speed speed = usual(kind.name);
  return speed.launch +
         static_cast<double>(bytes) / (speed.bytes_per_second * static_cast<double>(kind.devices.size()));
}

}  // namespace

std::string kind_facts::label() const { return cat(name, "*", devices.size()); }

std::int64_t call_facts::bytes() const {
  return std::accumulate(containers.begin(), containers.end(), std::int64_t{0},
                         [](std::int64_t sum, const container& c) { return sum + c.bytes; });
}

std::int64_t call_facts::bytes_elsewhere(std::size_t kind) const {
  std::int64_t sum = 0;
  for (const container& c : containers)
    if (c.read && (c.held >> kind & 1U) == 0) sum += c.bytes;
  return sum;
}

std::string function_row(std::string_view skeleton, std::uint64_t function) { return cat(skeleton, " ", function); }

double estimated_seconds(const tuning_table& table, const call_facts& call, const std::vector<kind_facts>& kinds,
                         std::size_t kind) {
  const double link = kinds[kind].link > 0 ? kinds[kind].link : 10e9;
  return seconds_in_place(table, call, kinds[kind]) + static_cast<double>(call.bytes_elsewhere(kind)) / link;
}

std::size_t fastest_kind(const tuning_table& table, const call_facts& call, const std::vector<kind_facts>& kinds) {
  std::size_t best = 0;
  double least = 0;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const double seconds = estimated_seconds(table, call, kinds, k);
    if (k > 0 && seconds >= least) continue;
    best = k;
    least = seconds;
  }
  return best;
}

device_shares shares_of_all(const tuning_table& table, const call_facts& call, const std::vector<kind_facts>& kinds) {
  device_shares made;
  for (const kind_facts& kind : kinds) {
    const double speed = 1 / std::max(seconds_in_place(table, call, kind), 1e-12);
    for (const int device : kind.devices) {
      made.devices.push_back(device);
      made.weights.push_back(speed / static_cast<double>(kind.devices.size()));
    }
  }
  return made;
}

std::vector<plan::slab> weighted_slabs(std::int64_t blocks, std::int64_t threads, const std::vector<int>& devices,
                                       const std::vector<double>& weights) {
  const double total =
      weights.empty() ? static_cast<double>(devices.size()) : std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<plan::slab> slabs;
  std::int64_t begin = 0;
  double sum = 0;
  for (std::size_t k = 0; k < devices.size(); ++k) {
    sum += weights.empty() ? 1 : weights[k];
    const auto wanted = static_cast<std::int64_t>(std::llround(static_cast<double>(blocks) * sum / total));
    const std::int64_t end = k + 1 == devices.size() ? blocks : std::clamp(wanted, begin, blocks);
    slabs.push_back({begin * threads, end * threads, devices[k]});
    begin = end;
  }
  return slabs;
}

}  // namespace tessera::algo
