#pragma once

#include <algorithm>
#include <vector>

#include "tessera/base/geometry/region.h"
#include "tessera/base/ids.h"

namespace tessera::plan {

/// Some ranks one after the other, beginning again at 0 behind the last.
struct rank_window {
  int first = 0;
  int count = 0;
};

/// One step of an exchange after which every rank has what each rank had: what this rank has by then of the ranks in
/// `sent` goes to one peer, and what was of the ranks in `received` comes from another. Each part arrives once, after
/// as many steps as the logarithm of the number of ranks; a part that one rank had travels along a binomial tree.
struct dissemination_step {
  node_id to;
  rank_window sent;
  node_id from;
  rank_window received;
};

/// The boxes of all ranks in `window` as one region.
[[nodiscard]] inline std::vector<box> boxes_of(const std::vector<std::vector<box>>& by_rank, rank_window window) {
  std::vector<box> all;
  for (int k = 0; k < window.count; ++k) {
    const auto& own = by_rank[static_cast<std::size_t>(window.first + k) % by_rank.size()];
    all.insert(all.end(), own.begin(), own.end());
  }
  return region(std::move(all)).take_boxes();
}

[[nodiscard]] inline std::vector<dissemination_step> dissemination(int ranks, int self) {
  std::vector<dissemination_step> steps;
  for (int far = 1; far < ranks; far *= 2) {
    const int count = std::min(far, ranks - far), below = (self - far + ranks) % ranks, above = (self + far) % ranks;
    steps.push_back({node_id(below), {self, count}, node_id(above), {above, count}});
  }
  return steps;
}

}  // namespace tessera::plan
