#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "tessera/base/event.h"
#include "tessera/memory/block.h"

namespace tessera::memory {

/// What is taken of one device's memory, and by which blocks. Plain data, guarded by the lock of memory.
struct device_pool {
  std::int64_t budget = 0, used = 0, peak = 0;
  bool tracked = false;  ///< Was short of memory once: blocks are kept from then on.
  std::vector<block*> resident;
  std::vector<block*> leaving;                           ///< Those of them that have been chosen to leave.
  std::deque<std::pair<event, std::int64_t>> under_way;  ///< Instructions and the bytes they use.
  std::deque<std::pair<event, std::int64_t>> lent;       ///< Instructions and their workspace.

  [[nodiscard]] bool has_room(std::int64_t bytes) const { return bytes <= budget - used; }
  [[nodiscard]] std::int64_t leaving_bytes() const {
    std::int64_t sum = 0;
    for (const block* b : leaving) sum += b->bytes;
    return sum;
  }
  void count(std::int64_t bytes) {
    used += bytes;
    peak = std::max(peak, used);
  }
  void take_back_workspace() {
    if (lent.empty()) return;
    std::erase_if(lent, [&](const auto& l) { return l.first.done() && (used -= l.second, true); });
  }
  void add_resident(block& b) {
    b.resident = true;
    b.place = resident.size();
    resident.push_back(&b);
  }
  /// Takes a block off the lists. Its memory stays counted.
  void forget(block& b) noexcept {
    resident[b.place] = resident.back();
    resident[b.place]->place = b.place;
    resident.pop_back();
    keep(b);
  }
  /// It does not leave after all.
  void keep(block& b) noexcept {
    if (std::exchange(b.leaving, false)) std::erase(leaving, &b);
  }
};

}  // namespace tessera::memory
