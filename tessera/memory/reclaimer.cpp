#include "tessera/memory/reclaimer.h"

#include <chrono>
#include <utility>

#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/memory/report.h"

namespace tessera::memory {

void reclaimer::refuse(std::int32_t device, std::int64_t bytes, array_id wanted) const {
  throw_out_of_memory(spans_, images_, device, bytes, wanted);
}

void reclaimer::wait(const std::vector<event>& events, memory_lock& held) {
  const auto begin = std::chrono::steady_clock::now();
  held.wait([&] {
    for (const event& e : events) e.wait();
  });
  const auto spent = std::chrono::steady_clock::now() - begin;
  counters_.waited_ns += std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count();
}

/// Bounds how much of the memory instructions that have not ended hold: it cannot be given to others, and what they
/// were given too early could have stayed. Three of them keep copies in both directions and kernels going.
void reclaimer::wait_for_under_way(std::int32_t device, memory_lock& held) {
  constexpr std::size_t enough = 3;
  device_pool& p = spans_.pool(device);
  std::int64_t bytes = 0;
  std::erase_if(p.under_way, [](const auto& u) { return u.first.done(); });
  for (const auto& [last, used] : p.under_way) bytes += used;
  while (p.under_way.size() >= enough && bytes > p.budget / 16) {
    bytes -= p.under_way.front().second;
    const event first = p.under_way.front().first;
    p.under_way.pop_front();
    wait({first}, held);
  }
}

/// What will be released soon is not worth saving.
bool reclaimer::await_release(std::int32_t device, std::int64_t bytes, memory_lock& held) {
  const auto begin = std::chrono::steady_clock::now();
  const bool is_released = bytes > 0 && retired_.await_release(device, bytes, held);
  const auto spent = std::chrono::steady_clock::now() - begin;
  counters_.waited_ns += std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count();
  return is_released;
}

void reclaimer::make_room(std::int32_t device, std::int64_t bytes, memory_lock& held) {
  device_pool& p = spans_.pool(device);
  const array_id wanted = now_.pages.empty() ? array_id() : now_.pages.front()->home->array;
  if (bytes > p.budget) refuse(device, bytes, wanted);
  wait_for_under_way(device, held);
  while (true) {
    retired_.collect();
    drop_idle(device);
    p.take_back_workspace();
    if (p.has_room(bytes)) return;
    if (await_release(device, p.used + bytes - p.budget - p.evicting_bytes(), held)) continue;
    const bool chosen = evict(device, p.used + bytes - p.budget - p.evicting_bytes(), eviction_time::now, held);
    drop_idle(device);
    if (p.has_room(bytes)) return;
    const std::vector<event> events = room_to_come(device);
    if (events.empty() && !chosen) refuse(device, bytes, wanted);
    wait(events, held);
  }
}

/// What makes some room when it has happened: the first page that is being evicted, the first array that was released,
/// or the first workspace that is lent. Nothing if there is none of them.
std::vector<event> reclaimer::room_to_come(std::int32_t device) const {
  const device_pool& p = spans_.pool(device);
  if (!p.evicting.empty()) return p.evicting.front()->pending();
  if (!retired_.empty()) return retired_.movements_of_first();
  if (!p.lent.empty()) return {p.lent.front().first};
  return {};
}

/// Evicts pages of `bytes` in all. False if there are none.
bool reclaimer::evict(std::int32_t device, std::int64_t bytes, eviction_time time, memory_lock& held) {
  if (bytes <= 0) return true;
  device_pool& p = spans_.pool(device);
  for (tracked_page* b : p.resident)
    if (b->reservation != now_.number && !b->evicting)
      evictor_.add({b, b->bytes, b->uses.next(now_.position), b->uses.last(), !b->unused(), !b->dirty});
  const std::span<const eviction_candidate> chosen = evictor_.choose(bytes, time);
  for (const eviction_candidate& c : chosen) {
    if (c.subject->dirty && !planted("write_back_dropped")) images_.save(*c.subject, now_, held);
    c.subject->evicting = true;
    p.evicting.push_back(c.subject);
  }
  return !chosen.empty();
}

void reclaimer::evict_ahead(std::int32_t device, std::int64_t bytes, memory_lock& held) {
  const device_pool& p = spans_.pool(device);
  try {
    evict(device, bytes - (p.budget - p.used) - p.evicting_bytes(), eviction_time::ahead, held);
  } catch (const error&) {
    // The reservation that needs the memory will meet the reason.
  }
}

/// Takes the memory of pages that are being evicted and not used any more. Throws if the contents of one could not be
/// kept.
void reclaimer::drop_idle(std::int32_t device) {
  std::exception_ptr reason;
  std::erase_if(spans_.pool(device).evicting, [&](tracked_page* b) {
    if (!b->idle() && !planted("victim_in_use")) return false;
    b->evicting = false;
    if (b->below && b->below->failed.load(std::memory_order_acquire)) {
      if (b->below->reservation == now_.number) reason = b->below->reason;  // else it may go better now
      images_.discard(*b);
      b->dirty = true;
      return true;
    }
    spans_.unback(*b);
    b->users.clear();
    ++counters_.evictions;
    return true;
  });
  if (reason) std::rethrow_exception(reason);
}

void reclaimer::give_memory(tracked_page& b, memory_lock& held) {
  copy_span& s = *b.home;
  device_pool& p = spans_.pool(s.device);
  while (!spans_.back_page(s, b.begin / s.page)) {
    if (!evict(s.device, 1, eviction_time::now, held) && p.evicting.empty()) refuse(s.device, b.bytes, s.array);
    wait(p.evicting.front()->pending(), held);
    drop_idle(s.device);
  }
  p.count(b.bytes);
  p.add_resident(b);
  b.arrival = {};
}

}  // namespace tessera::memory
