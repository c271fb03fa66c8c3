#pragma once

#include <cstdint>
#include <vector>

#include "tessera/base/event.h"
#include "tessera/memory/evictor.h"
#include "tessera/memory/memory_lock.h"
#include "tessera/memory/reservation.h"
#include "tessera/memory/retired_arrays.h"
#include "tessera/memory/span_table.h"
#include "tessera/memory/spill/image_store.h"
#include "tessera/memory/tracked_page.h"

namespace tessera::memory {

/// Makes room on devices that are short of memory: evicts the pages that the evictor chooses, and waits for them.
///
/// For the thread that makes reservations alone, with the lock of memory, which it lets go of while it waits. What it
/// waits for was issued before the reservation and needs no more memory to end, so every wait ends.
class reclaimer {
 public:
  /// `now` is the reservation that is being made: its pages are never evicted.
  reclaimer(span_table& spans, image_store& images, retired_arrays& retired, const reservation& now,
            spill_counters& counters)
      : spans_(spans), images_(images), retired_(retired), now_(now), counters_(counters) {}

  /// Returns when `bytes` of the device's budget are free. Throws `out_of_memory` if they can never be, and what kept
  /// the contents of a page from being saved.
  void make_room(std::int32_t device, std::int64_t bytes, memory_lock& held);
  /// Waits for the release of an array, if those to come leave `bytes` of a device free. False if they do not.
  [[nodiscard]] bool await_release(std::int32_t device, std::int64_t bytes, memory_lock& held);
  /// Gives a page memory, for which there is room in the device's budget. The backend may still have none, for reasons
  /// of its own: then others are evicted too.
  void give_memory(tracked_page& b, memory_lock& held);
  /// Evicts pages before their memory is wanted, so that `bytes` are free soon. Waits for nothing.
  void evict_ahead(std::int32_t device, std::int64_t bytes, memory_lock& held);

 private:
  bool evict(std::int32_t device, std::int64_t bytes, eviction_time time, memory_lock& held);
  void drop_idle(std::int32_t device);
  void wait(const std::vector<event>& events, memory_lock& held);
  void wait_for_under_way(std::int32_t device, memory_lock& held);
  [[nodiscard]] std::vector<event> room_to_come(std::int32_t device) const;
  [[noreturn]] void refuse(std::int32_t device, std::int64_t bytes, array_id wanted) const;

  span_table& spans_;
  image_store& images_;
  retired_arrays& retired_;
  const reservation& now_;
  spill_counters& counters_;
  evictor evictor_;
};

}  // namespace tessera::memory
