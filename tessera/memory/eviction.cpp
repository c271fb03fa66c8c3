// How residency makes room: which blocks leave, where to, and how they come back.

#include <algorithm>
#include <chrono>
#include <utility>

#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/memory/residency.h"

namespace tessera::memory {
namespace {

/// Watches a copy between a device and an image, and says how it ended.
class mover final : public device::observer {
 public:
  explicit mover(disk_queue::ended then) : then_(std::move(then)) {}
  bool admit() noexcept override { return true; }
  void started() noexcept override { begin_ = disk_queue::clock::now(); }
  void ended() noexcept override { finish(nullptr); }
  void failed(std::exception_ptr reason) noexcept override { finish(std::move(reason)); }
  [[nodiscard]] std::string describe() const override { return "memory being moved"; }

 private:
  ~mover() = default;
  void finish(std::exception_ptr failure) noexcept {
    then_(std::move(failure), begin_);
    delete this;
  }
  disk_queue::ended then_;
  disk_queue::clock::time_point begin_ = disk_queue::clock::now();
};

void fail(image& i, std::exception_ptr why) {
  i.why = std::move(why);
  i.failed.store(true, std::memory_order_release);
}

std::byte* take_bounce(const local_device& on, std::int64_t bytes) {
  std::byte* const block = on.backend->allocate_host(bytes);
  if (block == nullptr) throw out_of_memory("no host memory is left to pass data between a device and the disk");
  return block;
}

/// `events` as far as the backend's queues cannot wait for them themselves are waited for here.
std::vector<event> for_queue(const device::backend& b, const std::vector<event>& events) {
  std::vector<event> result;
  for (const event& e : events) {
    if (e.done()) continue;
    if (b.can_wait(e))
      result.push_back(e);
    else
      e.wait();
  }
  return result;
}

}  // namespace

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
    if (p.used + bytes <= p.budget) return;
    std::int64_t leaving = 0;
    for (const block* b : p.leaving) leaving += b->bytes;
    const bool chosen = choose_victims(device, p.used + bytes - p.budget - leaving);
    drop_idle(device);
    if (p.used + bytes <= p.budget) return;
    std::vector<event> events;
    if (!p.leaving.empty()) {
      events = p.leaving.front()->pending();
    } else if (!dead_.empty()) {
      for (const copy_span& s : dead_.front().mapped().copies)
        for (const block& b : s.blocks) {
          events.push_back(b.arrival);
          if (b.below) events.push_back(b.below->ready);
        }
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

void residency::leave(block& b) {
  if (b.dirty && !planted("write_back_dropped")) depart(b);
  b.leaving = true;
  pools_[at(b.home->device)].leaving.push_back(&b);
}

/// Has blocks of `bytes` in all leave. False if there are none.
bool residency::choose_victims(std::int32_t device, std::int64_t bytes) {
  if (bytes <= 0) return true;
  bool chosen = false;
  for (block* b : candidates(device, true)) {
    if (bytes <= 0) break;
    leave(*b);
    bytes -= b->bytes;
    chosen = true;
  }
  return chosen;
}

/// Has blocks leave before their memory is wanted: as much as the next instruction is likely to want, and as much again
/// that is on its way while that one begins. So a link is busy in both directions, and nobody waits for it.
void residency::leave_ahead(std::int32_t device, std::int64_t bytes) {
  const pool& p = pools_[at(device)];
  bytes -= p.budget - p.used;
  for (const block* b : p.leaving) bytes -= b->bytes;
  if (bytes <= 0) return;
  try {
    for (block* b : candidates(device, false)) {
      if (bytes <= 0) break;
      leave(*b);
      bytes -= b->bytes;
    }
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
    if (!choose_victims(s.device, 1) && p.leaving.empty()) throw_out_of_memory(s.device, b.bytes, s.array);
    wait(p.leaving.front()->pending(), held);
    drop_idle(s.device);
  }
  p.used += b.bytes;
  p.peak = std::max(p.peak, p.used);
  b.place = p.resident.size();
  p.resident.push_back(&b);
  b.resident = true;
  b.arrival = {};
}

/// True if host memory for `bytes` more can be had, if need be by giving up images of blocks that their devices hold.
bool residency::host_room(std::int64_t bytes) {
  if (bytes > below_.host) return false;
  for (auto entry_at = arrays_.begin(); host_used_ + bytes > below_.host && entry_at != arrays_.end(); ++entry_at)
    for (copy_span& s : entry_at->second.copies)
      for (block& b : s.blocks) {
        if (!b.resident || b.leaving || !b.below || b.below->host == nullptr || !b.idle()) continue;
        discard_image(b);
        b.dirty = b.dirty || b.defined;
        if (host_used_ + bytes <= below_.host) break;
      }
  return host_used_ + bytes <= below_.host;
}

/// Host memory of an image whose block has changed since, for an image of `b`: host memory that devices reach quickly
/// takes longer to make than to fill.
std::byte* residency::take_outdated(const block& b) noexcept {
  for (block* other : pools_[at(b.home->device)].resident) {
    if (!other->dirty || !other->below || other->below->host == nullptr || length(*other) != length(b)) continue;
    if (!other->arrival.done() || !other->below->ready.done()) continue;
    std::byte* const host = std::exchange(other->below->host, nullptr);
    discard_image(*other);
    return host;
  }
  return nullptr;
}

void residency::discard_image(block& b) noexcept {
  if (!b.below) return;
  if (b.below->host != nullptr) {
    devices_[at(b.home->device)].backend->deallocate_host(b.below->host, length(b));
    host_used_ -= length(b);
  }
  if (b.below->disk) file_.release(b.below->disk->where);
  b.below = nullptr;
}

/// Begins to copy the contents of a block to host memory or the disk, behind everything that uses it.
void residency::depart(block& b) {
  const local_device& on = devices_[at(b.home->device)];
  std::vector<event> after = b.users;
  after.push_back(b.arrival);
  if (!b.below) {
    auto made = std::make_shared<image>();
    if ((made->host = take_outdated(b)) != nullptr) {
      // The memory is counted already.
    } else if (host_room(length(b)) && (made->host = on.backend->allocate_host(length(b))) != nullptr) {
      host_used_ += length(b);
    } else {
      made->disk = std::make_shared<disk_record>();
      made->disk->where = file_.allocate(length(b));
    }
    b.below = std::move(made);
  }
  b.below->stamp = stamp_;
  b.below->failed = false;
  counters_.spilled_bytes += length(b);
  const movement what{"spill", b.home->array, b.home->device, true, b.below->host == nullptr, length(b)};
  const auto ended = [this, i = b.below, what](const std::exception_ptr& why, disk_queue::clock::time_point begin) {
    if (why) fail(*i, why);
    if (hooks_.moved) hooks_.moved(what, begin, disk_queue::clock::now());
  };
  b.dirty = false;
  if (b.below->host != nullptr) {
    const std::vector<event> waits = for_queue(*on.backend, after);
    b.below->ready = on.backend->copy({{on.index, device::queue_kind::copy_out}, waits, new mover(ended)},
                                      {{b.below->host, {1}}, {data_of(b), {1}}, {length(b)}, 1});
    return;
  }
  counters_.disk_written_bytes += length(b);
  auto record =
      std::make_shared<disk_record>();  // what was written before keeps its own until the last user of it ends
  record->where = b.below->disk->where;
  record->bytes = length(b);
  record->identity =
      b.home->array.value * 0x9e3779b97f4a7c15ULL ^ static_cast<std::uint64_t>(b.begin) ^ ++generation_ << 40;
  b.below->disk = record;
  if (on.backend->shares_host_memory()) {
    b.below->ready = disk_.write(record, data_of(b), std::move(after), ended);
    return;
  }
  std::byte* const bounce = take_bounce(on, length(b));
  const std::vector<event> waits = for_queue(*on.backend, after);
  auto* const watch = new mover([ended](const std::exception_ptr& why, auto begin) {
    if (why) ended(why, begin);
  });
  const event copied = on.backend->copy({{on.index, device::queue_kind::copy_out}, waits, watch},
                                        {{bounce, {1}}, {data_of(b), {1}}, {length(b)}, 1});
  b.below->ready =
      disk_.write(record, bounce, {copied}, [=, backend = on.backend, bytes = length(b)](auto why, auto begin) {
        backend->deallocate_host(bounce, bytes);
        ended(why, begin);
      });
}

/// Begins to bring the contents of a block back from its image.
void residency::arrive(block& b) {
  const local_device& on = devices_[at(b.home->device)];
  counters_.reloaded_bytes += length(b);
  const movement what{"reload", b.home->array, b.home->device, false, b.below->host == nullptr, length(b)};
  const auto ended = [this, what, i = b.below, parts = boxes_of_range(*b.home->format, b.begin, b.begin + length(b))](
                         const std::exception_ptr& why, disk_queue::clock::time_point begin) {
    if (why) hooks_.lost(what.array, what.device, parts, why);
    if (hooks_.moved) hooks_.moved(what, begin, disk_queue::clock::now());
  };
  b.dirty = false;
  const std::vector<event> after{b.below->ready};
  if (b.below->host != nullptr) {
    const std::vector<event> waits = for_queue(*on.backend, after);
    b.arrival = on.backend->copy({{on.index, device::queue_kind::copy_in}, waits, new mover(ended)},
                                 {{data_of(b), {1}}, {b.below->host, {1}}, {length(b)}, 1});
    return;
  }
  counters_.disk_read_bytes += length(b);
  if (on.backend->shares_host_memory()) {
    b.arrival = disk_.read(b.below->disk, data_of(b), after, ended);
    return;
  }
  std::byte* const bounce = take_bounce(on, length(b));
  const event fetched = disk_.read(b.below->disk, bounce, after, ended);
  const std::vector<event> waits = for_queue(*on.backend, {fetched});
  auto* const watch =
      new mover([=, backend = on.backend, bytes = length(b)](const std::exception_ptr& why, auto begin) {
        backend->deallocate_host(bounce, bytes);
        if (why) ended(why, begin);
      });
  b.arrival = on.backend->copy({{on.index, device::queue_kind::copy_in}, waits, watch},
                               {{data_of(b), {1}}, {bounce, {1}}, {length(b)}, 1});
}

bool residency::busy(const entry& e) {
  for (const copy_span& s : e.copies)
    for (const block& b : s.blocks)
      if (!b.arrival.done() || (b.below && !b.below->ready.done())) return true;
  return false;
}

void residency::bury_the_dead() noexcept {
  dead_.remove_if([&](auto& node) {
    if (busy(node.mapped())) return false;
    destroy(node.mapped());
    return true;
  });
}

void residency::destroy(entry& e) noexcept {
  for (std::size_t d = 0; d < e.copies.size(); ++d) {
    copy_span& s = e.copies[d];
    if (s.page == 0) continue;
    for (std::size_t k = 0; k < s.backed.size(); ++k) {
      const bool resident = s.blocks.empty() ? static_cast<bool>(s.backed[k]) : s.blocks[k].resident;
      if (resident) pools_[d].used -= std::min(s.page, s.format->bytes - static_cast<std::int64_t>(k) * s.page);
    }
    for (block& b : s.blocks) discard_image(b);
    if (s.data != nullptr) devices_[d].backend->deallocate(devices_[d].index, s.data, s.format->bytes);
  }
}

}  // namespace tessera::memory
