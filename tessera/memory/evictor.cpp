#include "tessera/memory/evictor.h"

#include <algorithm>

#include "tessera/memory/use_times.h"

namespace tessera::memory {
namespace {

enum group : int { unused = 0, in_use = 1, wanted_sooner = 2 };

}  // namespace

void evictor::add(const eviction_candidate& c) {
  waiting_.push_back({c.in_use ? in_use : unused, c.in_use ? ~c.last_use : c.next_use, waiting_.size(), c});
}

bool evictor::is_after(const ranked& a, const ranked& b) {
  if (a.group != b.group) return a.group > b.group;
  if (a.rank != b.rank) return a.rank < b.rank;
  if (a.candidate.clean != b.candidate.clean) return b.candidate.clean;
  return a.order > b.order;
}

std::span<const eviction_candidate> evictor::choose(std::int64_t bytes, eviction_time time) {
  if (time == eviction_time::ahead) {
    std::uint64_t soonest = use_times::never;  // of those in use
    for (const ranked& r : waiting_)
      if (r.group == in_use) soonest = std::min(soonest, r.candidate.next_use);
    for (ranked& r : waiting_)
      if (r.group == unused && r.rank < soonest) r.group = wanted_sooner;
  }
  chosen_.clear();
  std::make_heap(waiting_.begin(), waiting_.end(), is_after);
  for (; bytes > 0 && !waiting_.empty(); waiting_.pop_back()) {
    std::pop_heap(waiting_.begin(), waiting_.end(), is_after);
    chosen_.push_back(waiting_.back().candidate);
    bytes -= chosen_.back().bytes;
  }
  waiting_.clear();
  return chosen_;
}

}  // namespace tessera::memory
