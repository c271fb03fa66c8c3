#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tessera/algo/exec/routes/parts.h"
#include "tessera/algo/exec/sort/sort_text.h"
#include "tessera/base/geometry/intervals.h"

namespace tessera::algo {

// What a sort decides on the host: pure functions, equal on all ranks.

/// True if the first of two keys comes first.
using key_comparison = std::function<bool(const std::byte*, const std::byte*)>;

/// Elements that rest in `homes` as runs where they are: about `parts` in all if they lie evenly, and none of more than
/// `most` elements.
[[nodiscard]] std::vector<device_part> runs_at_home(const std::vector<device_part>& homes, std::int64_t parts,
                                                    std::int64_t most);

/// Every `spacing`-th key of each run is a sample, and its last key besides. Dense enough that parts cut at samples
/// differ by less than 2 % from equal ones.
struct sample_plan {
  std::int64_t spacing = 1;
  std::vector<std::int64_t> offsets;  ///< Of the samples of each run among all; one more at the end.
};
[[nodiscard]] sample_plan plan_samples(std::span<const device_part> runs, std::int64_t parts);
[[nodiscard]] sample_plan samples_apart(std::span<const device_part> runs, std::int64_t spacing);

/// The samples of all runs as they were read.
struct key_samples {
  const sample_plan& plan;
  std::span<const std::byte> keys;
  std::int64_t key_bytes = 0;
  const key_comparison& before;

  [[nodiscard]] const std::byte* at(std::int64_t sample) const { return keys.data() + sample * key_bytes; }
  /// True if no run begins with a key that comes before the last one of the run in front of it.
  [[nodiscard]] bool runs_follow() const;
};

/// Where parts end: in front of the key of a sample, which stands at `place` of `run`.
struct splitter {
  std::int64_t sample = 0;
  std::int64_t run = 0, place = 0;
};
[[nodiscard]] std::vector<splitter> choose_splitters(const key_samples& samples, std::int64_t n, std::int64_t parts);

/// Part q gets elements [lo, hi) of each run.
struct segment_table {
  std::int64_t runs = 0, parts = 0;
  std::vector<intervals::row> segments;  ///< Of part q and run r: segments[q * runs + r].

  [[nodiscard]] const intervals::row& at(std::int64_t part, std::int64_t run) const {
    return segments[static_cast<std::size_t>(part * runs + run)];
  }
};
/// `cuts[r * (parts - 1) + q]`: elements of run r that come before splitter q.
[[nodiscard]] segment_table segments_between(std::span<const device_part> runs, std::span<const std::int64_t> cuts,
                                             std::int64_t parts);

/// One launch that merges neighbouring segments of each part.
struct merge_round {
  std::vector<merge_step> steps;  ///< None is empty.
  std::vector<slab> slabs;        ///< Of steps, and the devices of their parts.
  segment_table merged;           ///< The segments that are left.
};
/// Merges segments 2 j and 2 j + 1 of each part; what comes of part q is written from `begins[q]` on. `devices` has the
/// device of each part.
[[nodiscard]] merge_round plan_round(const segment_table& from, std::span<const std::int64_t> begins,
                                     std::span<const int> devices);
/// The elements that each step takes from its left and its right run, and makes.
struct round_tables {
  intervals left, right, made;
};
[[nodiscard]] round_tables tables_of(std::span<const merge_step> steps);

/// Where each part begins when its segments stand one behind the other; one more number at the end.
[[nodiscard]] std::vector<std::int64_t> part_begins(const segment_table& segments);

}  // namespace tessera::algo
