// How residency makes room: which blocks leave. Where to, and how they come back, is in images.cpp.

#include <algorithm>
#include <chrono>
#include <utility>

#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/memory/residency.h"

namespace tessera::memory {
void residency::wait(const std::vector<event>& events, lock& held) {
  held.unlock();
  const auto begin = std::chrono::steady_clock::now();
  for (const event& e : events) e.wait();
  const auto spent = std::chrono::steady_clock::now() - begin;
  held.lock();
  counters_.waited_ns += std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count();
}

/// Bounds how much of the memory instructions that have not ended hold: it cannot be given to others, and what they
/// were given too early could have stayed. Three of them keep copies in both directions and kernels going.
void residency::wait_for_under_way(std::int32_t device, lock& held) {
  constexpr std::size_t enough = 3;
  pool& p = pools_[at(device)];
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

void residency::make_room(std::int32_t device, std::int64_t bytes, lock& held) {
  pool& p = pools_[at(device)];
  if (bytes > p.budget) throw_out_of_memory(device, bytes, touched_.front()->home->array);
  wait_for_under_way(device, held);
  while (true) {
    bury_the_dead();
    drop_idle(device);
    p.take_back_workspace();
    if (p.has_room(bytes)) return;
    std::int64_t leaving = 0;
    for (const block* b : p.leaving) leaving += b->bytes;
    const bool chosen = choose_victims(device, p.used + bytes - p.budget - leaving, held);
    drop_idle(device);
    if (p.has_room(bytes)) return;
    std::vector<event> events;
    if (!p.leaving.empty()) {
      events = p.leaving.front()->pending();
    } else if (!dead_.empty()) {
      for (const copy_span& s : dead_.front().mapped().copies)
        for (const block& b : s.blocks)
          for (const event& e : b.movements()) events.push_back(e);
    } else if (!p.lent.empty()) {
      events.push_back(p.lent.front().first);
    } else if (!chosen) {
      throw_out_of_memory(device, bytes, touched_.front()->home->array);
    }
    wait(events, held);
  }
}

/// What might leave, best first. Blocks that nobody uses go by their next use, the farthest first; those in use by
/// their last use, because who was issued first ends first. Those in use come last if the memory is wanted `now`; else
/// before those of the others that will be wanted sooner than any of them.
std::vector<block*> residency::candidates(std::int32_t device, bool now) const {
  struct candidate {
    block* what;
    int group;
    std::uint64_t rank;
  };
  std::vector<candidate> all;
  std::uint64_t soonest = use_times::never;  // of those in use
  for (block* b : pools_[at(device)].resident) {
    if (b->stamp == stamp_ || b->leaving) continue;
    const bool unused = b->unused();
    if (!unused) soonest = std::min(soonest, b->uses.next(position_));
    all.push_back({b, unused ? 0 : 1, unused ? b->uses.next(position_) : ~b->uses.last()});
  }
  if (!now)
    for (candidate& c : all)
      if (c.group == 0 && c.rank < soonest) c.group = 2;
  std::sort(all.begin(), all.end(), [](const candidate& a, const candidate& b) {
    return a.group != b.group ? a.group < b.group : a.rank > b.rank;
  });
  std::vector<block*> result;
  for (const candidate& c : all) result.push_back(c.what);
  return result;
}

void residency::leave(block& b, lock& held) {
  if (b.dirty && !planted("write_back_dropped")) depart(b, held);
  b.leaving = true;
  pools_[at(b.home->device)].leaving.push_back(&b);
}

/// Has the first of `victims` leave that hold `bytes` together. False if there are none.
bool residency::have_leave(const std::vector<block*>& victims, std::int64_t bytes, lock& held) {
  for (block* b : victims) {
    if (bytes <= 0) break;
    leave(*b, held);
    bytes -= b->bytes;
  }
  return !victims.empty();
}

/// Has blocks of `bytes` in all leave. False if there are none.
bool residency::choose_victims(std::int32_t device, std::int64_t bytes, lock& held) {
  return bytes <= 0 || have_leave(candidates(device, true), bytes, held);
}

/// Has blocks leave before their memory is wanted: as much as the next instruction is likely to want, and as much again
/// that is on its way while that one begins. So a link is busy in both directions, and nobody waits for it.
void residency::leave_ahead(std::int32_t device, std::int64_t bytes, lock& held) {
  const pool& p = pools_[at(device)];
  bytes -= p.budget - p.used;
  for (const block* b : p.leaving) bytes -= b->bytes;
  if (bytes <= 0) return;
  try {
    have_leave(candidates(device, false), bytes, held);
  } catch (const error&) {
    // Whoever needs the memory will meet the reason.
  }
}

/// Takes the memory of those who leave and are not used any more. Throws if the contents of one could not be kept.
void residency::drop_idle(std::int32_t device) {
  pool& p = pools_[at(device)];
  std::exception_ptr why;
  std::erase_if(p.leaving, [&](block* b) {
    if (!b->idle() && !planted("victim_in_use")) return false;
    b->leaving = false;
    if (b->below && b->below->failed.load(std::memory_order_acquire)) {
      if (b->below->stamp == stamp_) why = b->below->why;  // else it may go better now
      discard_image(*b);
      b->dirty = true;
      return true;
    }
    drop(*b);
    return true;
  });
  if (why) std::rethrow_exception(why);
}

void residency::forget_resident(block& b) noexcept {
  pool& p = pools_[at(b.home->device)];
  p.resident[b.place] = p.resident.back();
  p.resident[b.place]->place = b.place;
  p.resident.pop_back();
  if (std::exchange(b.leaving, false)) std::erase(p.leaving, &b);
}

void residency::drop(block& b) noexcept {
  const local_device& on = devices_[at(b.home->device)];
  copy_span& s = *b.home;
  if (s.blocks.size() == 1)
    on.backend->deallocate(on.index, std::exchange(s.data, nullptr), s.format->bytes);
  else
    on.backend->unback(on.index, s.data, b.begin, b.begin + length(b));
  forget_resident(b);
  pools_[at(s.device)].used -= b.bytes;
  b.resident = false;
  b.users.clear();
  ++counters_.evictions;
}

/// Needs room in the device's budget. The backend may still have none, for reasons of its own: then others leave too.
void residency::give_memory(block& b, lock& held) {
  copy_span& s = *b.home;
  pool& p = pools_[at(s.device)];
  while (!back_page(s, b.begin / s.page)) {
    if (!choose_victims(s.device, 1, held) && p.leaving.empty()) throw_out_of_memory(s.device, b.bytes, s.array);
    wait(p.leaving.front()->pending(), held);
    drop_idle(s.device);
  }
  p.count(b.bytes);
  b.place = p.resident.size();
  p.resident.push_back(&b);
  b.resident = true;
  b.arrival = {};
}

}  // namespace tessera::memory
