#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "tessera/base/event.h"
#include "tessera/memory/tracked_page.h"

namespace tessera::memory {

/// What is taken of one device's memory, and by which pages. Plain data, guarded by the lock of memory.
struct device_pool {
  std::int64_t budget = 0, used = 0, peak = 0;
  bool tracked = false;  ///< Was short of memory once: pages are kept from then on.
  std::vector<tracked_page*> resident;
  std::vector<tracked_page*> evicting;                   ///< Those of them that have been chosen for eviction.
  std::deque<std::pair<event, std::int64_t>> under_way;  ///< Instructions and the bytes they use.
  std::deque<std::pair<event, std::int64_t>> lent;       ///< Instructions and their workspace.

  [[nodiscard]] bool has_room(std::int64_t bytes) const { return bytes <= budget - used; }
  [[nodiscard]] std::int64_t evicting_bytes() const {
    std::int64_t sum = 0;
    for (const tracked_page* b : evicting) sum += b->bytes;
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
  void add_resident(tracked_page& b) {
    b.resident = true;
    b.place = resident.size();
    resident.push_back(&b);
  }
  /// Takes a page off the lists. Its memory stays counted.
  void forget(tracked_page& b) noexcept {
    resident[b.place] = resident.back();
    resident[b.place]->place = b.place;
    resident.pop_back();
    keep(b);
  }
  /// Its eviction is cancelled.
  void keep(tracked_page& b) noexcept {
    if (std::exchange(b.evicting, false)) std::erase(evicting, &b);
  }
};

}  // namespace tessera::memory
