#include "tessera/algo/exec/sort/merge_launch.h"

#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/sort/launches.h"
#include "tessera/base/defects.h"

namespace tessera::algo {
namespace {

/// One of two ranges that are merged.
struct merge_side {
  element_arrays elements;
  std::vector<device_part> runs;
  std::int64_t first_run = 0;

  [[nodiscard]] std::int64_t size() const { return elements.keys.size(); }
};

/// The elements of each side that each part gets: sorted runs of one range follow each other, so that they are one
/// segment.
segment_table segments_of(sort_launches& launches, const merge_side (&sides)[2], std::int64_t parts,
                          const key_order& order, std::int64_t key_bytes, call_site here) {
  std::vector<device_part> all = sides[0].runs;
  all.insert(all.end(), sides[1].runs.begin(), sides[1].runs.end());
  const sample_plan plan = plan_samples(all, parts);
  std::vector<std::byte> keys;
  for (const merge_side& side : sides) {
    if (side.runs.empty()) continue;
    sample_plan own{plan.spacing, {}};
    for (std::size_t r = 0; r <= side.runs.size(); ++r)
      own.offsets.push_back(plan.offsets[static_cast<std::size_t>(side.first_run) + r] -
                            plan.offsets[static_cast<std::size_t>(side.first_run)]);
    const std::vector<std::byte> some = launches.sample(side.elements.keys, side.runs, own).read_bytes(here);
    keys.insert(keys.end(), some.begin(), some.end());
  }
  const key_samples samples{plan, keys, key_bytes, order.on_host};
  const std::vector<splitter> splitters = choose_splitters(samples, sides[0].size() + sides[1].size(), parts);
  segment_table made{2, parts, std::vector<intervals::row>(static_cast<std::size_t>(2 * parts))};
  for (int s = 0; s < 2; ++s) {
    std::vector<std::int64_t> ends(static_cast<std::size_t>(parts), 0);
    ends.back() = sides[s].size();
    if (!sides[s].runs.empty()) {
      const std::vector<std::int64_t> cuts =
          launches.cut(sides[s].elements.keys, sides[s].runs, samples, splitters, sides[s].first_run).read(here);
      const std::size_t used = planted("first_run_alone") ? static_cast<std::size_t>(parts - 1) : cuts.size();
      for (std::size_t k = 0; k < used; ++k) ends[k % static_cast<std::size_t>(parts - 1)] += cuts[k];
    }
    for (std::size_t q = 0; q < ends.size(); ++q)
      made.segments[2 * q + static_cast<std::size_t>(s)] = {q == 0 ? 0 : ends[q - 1], ends[q]};
  }
  return made;
}

}  // namespace

void merge_into(const keyed_elements& left, const keyed_elements& right, const keyed_elements& out,
                const key_order& order, call_site here) {
  const std::int64_t n = out.keys.size();
  if (n == 0) return;
  require_free(left, access::read, here);
  require_free(right, access::read, here);
  require_free(out, access::write, here);
  const sort_types types = types_of(out, order);
  sort_launches launches(out.keys.elements->ctx(), types, order, here);
  const part_sizes sizes(launches, n);
  merge_side sides[2] = {{for_launch(left, access::read, here), {}}, {for_launch(right, access::read, here), {}}};
  const element_arrays to = for_launch(out, access::write, here);
  segment_table segments{2, 1, {{0, sides[0].size()}, {0, sides[1].size()}}};
  if (sizes.parts > 1) {
    if (left.keys.size() > 0) sides[0].runs = runs_of(sizes, left.keys);
    if (right.keys.size() > 0) sides[1].runs = runs_of(sizes, right.keys);
    sides[1].first_run = std::ssize(sides[0].runs);
    segments = segments_of(launches, sides, sizes.parts, order, types.key_bytes(), here);
  }
  const merge_round round = plan_round(segments, part_begins(segments), devices_of_parts(launches, sizes.parts));
  launches.merge(sides[0].elements, sides[1].elements, to, round);
}

}  // namespace tessera::algo
