#include "tessera/algo/exec/sort/sort_plan.h"

#include <algorithm>
#include <numeric>

#include "tessera/base/checked.h"
#include "tessera/base/defects.h"

namespace tessera::algo {
namespace {

constexpr std::int64_t samples_per_part = 128;

}  // namespace

std::vector<device_part> runs_at_home(const std::vector<device_part>& homes, std::int64_t parts, std::int64_t most) {
  const std::int64_t n = homes.back().hi;
  std::vector<device_part> runs;
  for (const device_part& each : homes) {
    const std::int64_t size = each.size();
    const std::int64_t wanted =
        std::min(size, std::max<std::int64_t>({1, (size * parts + n / 2) / n, ceil_div(size, most)}));
    for (std::int64_t k = 0; k < wanted; ++k)
      runs.push_back({each.lo + k * size / wanted, each.lo + (k + 1) * size / wanted, each.device});
  }
  return runs;
}

sample_plan samples_apart(std::span<const device_part> runs, std::int64_t spacing) {
  sample_plan made{std::max<std::int64_t>(1, spacing), {0}};
  for (const device_part& run : runs)
    made.offsets.push_back(made.offsets.back() + ceil_div(run.size(), made.spacing) + 1);
  return made;
}

sample_plan plan_samples(std::span<const device_part> runs, std::int64_t parts) {
  std::int64_t n = 0;
  for (const device_part& run : runs) n += run.size();
  return samples_apart(runs, n / (samples_per_part * parts * std::ssize(runs)));
}

bool key_samples::runs_follow() const {
  for (std::size_t r = 1; r + 1 < plan.offsets.size(); ++r)
    if (before(at(plan.offsets[r]), at(plan.offsets[r] - 1))) return false;
  return true;
}

std::vector<splitter> choose_splitters(const key_samples& samples, std::int64_t n, std::int64_t parts) {
  // Samples stand run by run, so that equal ones stay in the order of runs and places.
  std::vector<splitter> order;
  const auto& offsets = samples.plan.offsets;
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r)
    for (std::int64_t k = offsets[r]; k + 1 < offsets[r + 1]; ++k)
      order.push_back({k, static_cast<std::int64_t>(r), (k - offsets[r]) * samples.plan.spacing});
  std::stable_sort(order.begin(), order.end(), [&](const splitter& a, const splitter& b) {
    return samples.before(samples.at(a.sample), samples.at(b.sample));
  });
  std::vector<splitter> chosen;
  for (std::int64_t q = 1; q < parts; ++q) {
    const std::int64_t wanted = (q * n / parts + samples.plan.spacing / 2) / samples.plan.spacing;
    chosen.push_back(order[static_cast<std::size_t>(std::min(wanted, std::ssize(order) - 1))]);
  }
  return chosen;
}

segment_table segments_between(std::span<const device_part> runs, std::span<const std::int64_t> cuts,
                               std::int64_t parts) {
  segment_table made{std::ssize(runs), parts, {}};
  made.segments.resize(static_cast<std::size_t>(parts * made.runs));
  for (std::int64_t r = 0; r < made.runs; ++r) {
    const device_part& run = runs[static_cast<std::size_t>(r)];
    std::int64_t begin = run.lo;
    for (std::int64_t q = 0; q < parts; ++q) {
      // Cuts ascend, unless the operator is no order: then the elements come out in some order, each of them once.
      const std::int64_t cut = q + 1 == parts ? run.hi : run.lo + cuts[static_cast<std::size_t>(r * (parts - 1) + q)];
      const std::int64_t end = std::clamp(cut + planted("cut_one_late"), begin, run.hi);
      made.segments[static_cast<std::size_t>(q * made.runs + r)] = {begin, end};
      begin = end;
    }
  }
  return made;
}

std::vector<std::int64_t> part_begins(const segment_table& segments) {
  std::vector<std::int64_t> begins{0};
  for (std::int64_t q = 0; q < segments.parts; ++q) {
    std::int64_t size = 0;
    for (std::int64_t r = 0; r < segments.runs; ++r) size += segments.at(q, r).hi - segments.at(q, r).lo;
    begins.push_back(begins.back() + size);
  }
  return begins;
}

merge_round plan_round(const segment_table& from, std::span<const std::int64_t> begins, std::span<const int> devices) {
  merge_round made;
  made.merged = {ceil_div(from.runs, std::int64_t{2}), from.parts, {}};
  for (std::int64_t q = 0; q < from.parts; ++q) {
    std::int64_t at = begins[static_cast<std::size_t>(q)];
    const std::int64_t first_step = std::ssize(made.steps);
    for (std::int64_t r = 0; r < from.runs; r += 2) {
      const intervals::row left = from.at(q, r);
      const intervals::row right = r + 1 < from.runs ? from.at(q, r + 1) : intervals::row{left.hi, left.hi};
      const merge_step step{left.lo, left.hi - left.lo, right.lo, right.hi - right.lo, at};
      if (step.size() > 0) made.steps.push_back(step);
      made.merged.segments.push_back({at, at + step.size()});
      at += step.size();
    }
    if (std::ssize(made.steps) > first_step)
      made.slabs.push_back({first_step, std::ssize(made.steps), devices[static_cast<std::size_t>(q)]});
  }
  return made;
}

round_tables tables_of(std::span<const merge_step> steps) {
  std::vector<intervals::row> left, right, made;
  for (const merge_step& s : steps) {
    left.push_back({s.left, s.left + s.left_count});
    right.push_back({s.right, s.right + s.right_count});
    made.push_back({s.to, s.to + s.size()});
  }
  return {intervals(left), intervals(right), intervals(made)};
}

}  // namespace tessera::algo
