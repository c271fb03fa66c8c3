#include "tessera/algo/exec/sort/sort_launch.h"

#include "tessera/algo/container/element_copy.h"
#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/reduce_launch.h"
#include "tessera/algo/exec/sort/launches.h"
#include "tessera/base/checked.h"

namespace tessera::algo {
namespace {

void copy_back(const element_arrays& from, const element_arrays& to, call_site here) {
  copy_elements(to.keys, from.keys, here);
  if (to.values.record() != nullptr) copy_elements(to.values, from.values, here);
}

/// The devices of parts such that most elements stay where they are: in order, or where by that clearly fewer would
/// stay than of elements in random order, in the order that begins at another device.
std::vector<int> devices_for(const sort_launches& launches, const segment_table& segments,
                             std::span<const device_part> runs) {
  const auto count = static_cast<int>(launches.machine().automatic_devices().size());
  std::int64_t n = 0, kept_in_order = 0, most = -1;
  std::vector<int> best;
  for (int first = 0; first < count; ++first) {
    const std::vector<int> devices = devices_of_parts(launches, segments.parts, first);
    std::int64_t kept = 0, all = 0;
    for (std::int64_t q = 0; q < segments.parts; ++q)
      for (std::int64_t r = 0; r < segments.runs; ++r) {
        const std::int64_t size = segments.at(q, r).hi - segments.at(q, r).lo;
        all += size;
        if (runs[static_cast<std::size_t>(r)].device == devices[static_cast<std::size_t>(q)]) kept += size;
      }
    if (first == 0) n = all, kept_in_order = kept;
    if (first == 0 || (kept > most && kept_in_order * count < n - n / 50)) most = kept, best = devices;
  }
  return best;
}

/// Merges what is left of each part until it is one run: one round per target.
void merge_rounds(sort_launches& launches, segment_table segments, std::span<const int> devices,
                  const element_arrays& from, std::span<const element_arrays* const> targets) {
  const std::vector<std::int64_t> begins = part_begins(segments);
  const element_arrays* source = &from;
  for (const element_arrays* target : targets) {
    merge_round round = plan_round(segments, begins, devices);
    launches.merge(*source, *source, *target, round);
    segments = std::move(round.merged);
    source = target;
  }
}

/// Where `rounds` rounds write: two arrays in turn, the last one to `last`.
std::vector<const element_arrays*> targets_of(int rounds, const element_arrays& first, const element_arrays& second,
                                              const element_arrays& last) {
  std::vector<const element_arrays*> targets;
  for (int k = 0; k + 1 < rounds; ++k) targets.push_back(k % 2 == 0 ? &first : &second);
  targets.push_back(&last);
  return targets;
}

/// A sort of elements that lie in several runs.
class run_merger {
 public:
  run_merger(const keyed_elements& all, sort_launches& launches, const key_order& order, call_site here)
      : all_(all), launches_(launches), order_(order), site_(here) {}

  void sort(const element_arrays& own, std::span<const device_part> runs, std::int64_t parts) {
    int rounds = 0;
    for (std::int64_t left = std::ssize(runs); left > 1; left = ceil_div(left, std::int64_t{2})) ++rounds;
    const bool lies_anew = parts > 1 && takes_new_arrays();
    // Where the elements stay in their array, the last round writes there.
    const bool in_spare = !lies_anew && rounds % 2 == 1;
    element_arrays spare = launches_.spare(own, runs);
    launches_.sort_runs(own, spare, runs, in_spare);
    const element_arrays& sorted = in_spare ? spare : own;
    const sample_plan plan = plan_samples(runs, parts);
    const std::vector<std::byte> keys = launches_.sample(sorted.keys, runs, plan).read_bytes(site_);
    const key_samples samples{plan, keys, all_.keys.elements->type().size, order_.on_host};
    if (samples.runs_follow()) {
      if (in_spare) copy_back(spare, own, site_);
      return;
    }
    std::vector<std::int64_t> cuts;
    if (parts > 1)
      cuts =
          launches_.cut(sorted.keys, runs, samples, choose_splitters(samples, own.keys.size(), parts), 0).read(site_);
    segment_table segments = segments_between(runs, cuts, parts);
    if (!lies_anew) {
      merge_rounds(launches_, std::move(segments), devices_of_parts(launches_, parts), sorted,
                   targets_of(rounds, in_spare ? own : spare, in_spare ? spare : own, own));
      return;
    }
    const std::vector<int> devices = devices_for(launches_, segments, runs);
    const plan::layout homes = homes_of(part_begins(segments), devices);
    if (rounds == 1) spare = {};
    const keyed_elements made = elements_at(homes);
    const element_arrays last = for_launch(made, access::write, site_);
    merge_rounds(launches_, std::move(segments), devices, own, targets_of(rounds, spare, own, last));
    all_.keys.elements->replace(*made.keys.elements, "sort", site_);
    if (all_.values) all_.values->elements->replace(*made.values->elements, "sort", site_);
  }

 private:
  /// True if the elements are all those of their containers, and several devices share them: the containers get arrays
  /// that rest where the sorted parts are.
  [[nodiscard]] bool takes_new_arrays() const {
    const auto is_whole = [](const operand& part) { return part.part == part.elements->whole(); };
    return launches_.machine().automatic_devices().size() > 1 && is_whole(all_.keys) &&
           (!all_.values || is_whole(*all_.values));
  }
  static plan::layout homes_of(std::span<const std::int64_t> begins, std::span<const int> devices) {
    std::vector<device_part> homes;
    for (std::size_t q = 0; q < devices.size(); ++q)
      if (begins[q] < begins[q + 1]) homes.push_back({begins[q], begins[q + 1], devices[q]});
    return layout_of(homes);
  }
  /// New containers of keys and values that rest there.
  [[nodiscard]] keyed_elements elements_at(const plan::layout& homes) const {
    const auto room = [&](const operand& like) {
      const container_options options(like.elements->ctx(), homes);
      auto made = std::make_shared<storage>(options, like.shape(), like.elements->type(), std::vector<std::byte>());
      return operand{made, made->whole()};
    };
    keyed_elements made = all_;
    made.keys = room(all_.keys);
    if (all_.values) made.values = room(*all_.values);
    return made;
  }

  const keyed_elements& all_;
  sort_launches& launches_;
  const key_order& order_;
  call_site site_;
};

}  // namespace

void sort_in_place(const keyed_elements& all, const key_order& order, call_site here) {
  const std::int64_t n = all.keys.size();
  if (n < 2) return;
  require_free(all, access::readwrite, here);
  const sort_types types = types_of(all, order);
  sort_launches launches(all.keys.elements->ctx(), types, order, here);
  const element_arrays own = for_launch(all, access::readwrite, here);
  const part_sizes sizes(launches, n);
  const std::vector<device_part> runs = runs_of(sizes, all.keys);
  if (runs.size() == 1)
    launches.sort_runs(own, launches.spare(own, runs), runs, false);
  else
    run_merger(all, launches, order, here).sort(own, runs, sizes.parts);
}

std::vector<std::byte> sampled_keys(const keyed_elements& all, std::int64_t wanted, call_site here) {
  const key_order none{identity_op(all.key_type, all.keys.elements->type()), {}, {}, {}};
  const sort_types types = types_of(all, none);
  sort_launches launches(all.keys.elements->ctx(), types, none, here);
  const element_arrays own = for_launch(all, access::read, here);
  const std::vector<device_part> runs = runs_of(part_sizes(launches, all.keys.size()), all.keys);
  const sample_plan plan = samples_apart(runs, own.keys.size() / wanted);
  return launches.sample(own.keys, runs, plan).read_bytes(here);
}

}  // namespace tessera::algo
