// The paper's programs with data beyond the memory that devices may use.
#include <algorithm>
#include <optional>

#include "benchmarks/paper/contest.h"
#include "benchmarks/paper/rows.h"
#include "tessera/base/text.h"

namespace tessera::bench::paper {
namespace {

/// Shares of twice the memory: half of it, nearly all, just beyond, twice.
constexpr double shares[] = {0.25, 0.45, 0.55, 1};
constexpr pairing few{.pairs = 3, .warm_up = 0, .seconds = 0};

/// The largest problem: of at most `most_bytes`.
std::int64_t largest_size(const session& s, const paper_program& p, const own_side& side) {
  std::int64_t n = size_for(s, p, side.size);
  while (p.bytes(n) > side.most_bytes) n /= 2;
  return n;
}

context with_memory(const std::string& devices, double bytes) {
  options settings = on(devices);
  settings.device_memory = static_cast<std::int64_t>(bytes);
  return context(settings);
}

/// What must cross the link in a run: what is read each time and does not fit.
double least_seconds(const paper_program& p, std::int64_t n, double memory, const own_side& side) {
  if (!side.link || p.passes == 0) return 0;
  return p.passes * std::max(0.0, p.bytes(n) - memory) / side.link();
}

/// The claims: the correlator just beyond the memory, K-means and GEMM with twice of it. Where the link alone takes
/// longer than a run in memory, of the speed that it allows.
std::optional<double> target_at(const paper_program& p, double share, double in_memory, double link) {
  const double bound = std::min(1.0, in_memory / std::max(in_memory, link));
  if (p.name == "correlator" && share == 0.55) return 0.95 * bound;
  if ((p.name == "kmeans" || p.name == "gemm") && share == 1) return 0.90 * bound;
  return std::nullopt;
}

/// One point: devices with memory for half of the largest problem against one that has all the memory it wants.
void measure_point(session& s, const paper_program& p, int devices, double share, const own_side& side) {
  const std::int64_t largest = largest_size(s, p, side);
  const double memory = p.bytes(largest) / 2;
  const auto n = static_cast<std::int64_t>(static_cast<double>(largest) * share);
  const auto whole = p.ours(context(on(s.devices())), {n});
  const auto part = p.ours(with_memory(s.devices(devices), memory), {n});
  const comparison times = contest(s, p, *part, *whole, few);
  const double link = least_seconds(p, n, memory, side);
  s.add_point(devices == 1 ? "paper.beyond." + p.name : cat("paper.devices", devices, ".", p.name), n, times,
              cat("one device, in memory; here ", static_cast<std::int64_t>(memory / 1e6), " MB each"), 1e3, "ms",
              devices == 1 ? target_at(p, share, times.rival, link) : std::nullopt);
  if (devices > 1 || link == 0) return;
  row bound;
  bound.name = cat("paper.link.", p.name, ".", n);
  bound.ours = link * 1e3;
  bound.unit = "ms, the link alone";
  s.add(bound);
}

void measure_devices(session& s, const paper_program& p, int devices, const own_side& side) {
  for (const double share : shares)
    if (devices == 1 || share > 0.5) measure_point(s, p, devices, share, side);
}

/// Figure 10: parts of different sizes, the data just beyond the device's memory, against the fastest of them.
void measure_chunks(session& s, const own_side& side) {
  const paper_program& p = paper_program_named("kmeans");
  const std::int64_t n = size_for(s, p, side.size);
  const double whole = p.bytes(n);
  struct point {
    std::int64_t chunk;
    double seconds;
  };
  std::vector<point> points;
  // At the paper's size of 16 GB: 4 MB to 5 GB.
  for (const std::int64_t chunk : size_steps(std::max<std::int64_t>(static_cast<std::int64_t>(whole / 4000), 1 << 16),
                                             static_cast<std::int64_t>(whole / 3.2), 2)) {
    const auto ours = p.ours(with_memory(s.devices(), 0.9 * whole), {n, chunk});
    points.push_back({chunk, median_time(*ours, 3)});
  }
  const auto best =
      std::min_element(points.begin(), points.end(), [](auto a, auto b) { return a.seconds < b.seconds; });
  for (const point& q : points) {
    const double ratio = best->seconds / q.seconds;
    s.add_point("paper.chunks", q.chunk, {q.seconds, best->seconds, ratio, ratio, ratio}, "the best size of parts", 1e3,
                "ms", q.chunk >= 16'000'000 ? std::optional(0.9) : std::nullopt);
  }
}

/// A third of the data fits into the device's memory, a third into the host's.
void measure_disk(session& s, const own_side& side) {
  const paper_program& p = paper_program_named("kmeans");
  const std::int64_t n = std::max<std::int64_t>(size_for(s, p, side.size) / 4, 1);
  const auto whole = p.ours(context(on(s.devices())), {n});
  options settings = on(s.devices());
  settings.device_memory = static_cast<std::int64_t>(p.bytes(n) / 3);
  settings.host_memory = static_cast<std::int64_t>(p.bytes(n) / 3);
  const auto part = p.ours(context(settings), {n});
  const comparison times = contest(s, p, *part, *whole, {.pairs = 1, .warm_up = 0, .seconds = 0});
  s.add_point("paper.disk.kmeans", n, times, "in memory; here a third on disk", 1e3, "ms");
}

void measure_link(session& s, const own_side& side) {
  row r;
  r.name = "paper.link";
  r.ours = side.link() / 1e9;
  r.unit = "GB/s, host to device";
  s.add(r);
}

/// MD5 and N-body always fit. Columns of a matrix in ELL format lie in all pages of it: a block of rows needs all of
/// them.
bool can_leave_memory(const paper_program& p) { return p.name != "spmv" && p.bytes(p.quick_n) >= 1e5; }

}  // namespace

std::vector<benchmark> beyond_memory_rows(const own_side& side) {
  std::vector<benchmark> all;
  if (side.link) all.push_back({"paper.link", [side](session& s) { measure_link(s, side); }});
  for (const int devices : {1, 2, 4})
    for (const paper_program& p : paper_programs()) {
      if (!can_leave_memory(p)) continue;
      const std::string name = devices == 1 ? "paper.beyond." + p.name : cat("paper.devices", devices, ".", p.name);
      all.push_back({name, [&p, devices, side](session& s) { measure_devices(s, p, devices, side); }});
    }
  all.push_back({"paper.chunks", [side](session& s) { measure_chunks(s, side); }});
  all.push_back({"paper.disk.kmeans", [side](session& s) { measure_disk(s, side); }});
  return all;
}

}  // namespace tessera::bench::paper
