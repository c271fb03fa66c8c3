#include "tessera/memory/spill/image_store.h"

#include <utility>

#include "tessera/base/text.h"

namespace tessera::memory {

image_store::image_store(span_table& spans, spill_targets below, spill_counters& counters)
    : spans_(spans),
      below_(std::move(below)),
      counters_(counters),
      copies_(spans.devices(), file_, host_),
      demotions_(spans, file_, records_, host_, copies_, counters) {}

bool image_store::make_room(std::int64_t bytes) {
  demotions_.settle();
  if (bytes > host_.budget()) return false;
  if (host_.has_room(bytes)) return true;
  spans_.for_each_page([&](tracked_page& b) {
    if (!b.resident || b.evicting || !b.below || b.below->host == nullptr || !b.idle()) return true;
    discard(b);
    b.dirty = b.dirty || b.defined;
    return !host_.has_room(bytes);
  });
  return host_.has_room(bytes);
}

/// Host memory of an image whose page has changed since, for an image of `b`: host memory that devices reach quickly
/// takes longer to make than to fill.
std::byte* image_store::take_outdated(const tracked_page& b) noexcept {
  for (tracked_page* other : spans_.pool(b.home->device).resident) {
    if (!other->dirty || !other->below || other->below->host == nullptr || other->bytes != b.bytes) continue;
    if (!other->arrival.done() || !other->below->settled()) continue;
    std::byte* const host = std::exchange(other->below->host, nullptr);
    discard(*other);
    return host;
  }
  return nullptr;
}

/// Host memory for the image of `b`, or null.
std::byte* image_store::take_host(const tracked_page& b) {
  if (std::byte* const again = take_outdated(b)) return again;  // which is counted already
  return make_room(b.bytes) ? host_.take(spans_.device_of(b), b.bytes) : nullptr;
}

void image_store::discard(tracked_page& b) noexcept {
  if (!b.below) return;
  if (b.below->host != nullptr) host_.give(spans_.device_of(b), b.below->host, b.bytes);
  if (b.below->disk) file_.release(b.below->disk->position);
  demotions_.cancel(b);
  b.below = nullptr;
}

void image_store::save(tracked_page& b, const reservation& now, memory_lock& held) {
  demotions_.settle();
  std::vector<event> after = b.users;
  after.push_back(b.arrival);
  const bool on_disk = b.below && b.below->host == nullptr;
  if (on_disk && b.idle() && host_.has_room(b.bytes)) discard(b);  // there is room again
  if (!b.below) {
    auto made = std::make_shared<image>();
    made->host = take_host(b);
    if (made->host == nullptr) made->disk = records_.make(b);
    b.below = std::move(made);
  } else if (!b.below->copied.done()) {
    after.push_back(b.below->copied);
  }
  image& i = *b.below;
  i.demotion_outdated = true;
  i.reservation = now.number;
  i.failed = false;
  counters_.spilled_bytes += b.bytes;
  auto failed = [of = b.below](const std::exception_ptr& reason) {
    of->reason = reason;
    of->failed.store(true, std::memory_order_release);
  };
  if (i.host != nullptr) {
    i.ready = copies_.to_host(b, i.host, after, failed, held);
  } else {
    counters_.disk_written_bytes += b.bytes;
    demotions_.make_way_for(b, now.position);
    // What was written before keeps its own record until the last user of it ends.
    i.disk = records_.make(b, i.disk->position);
    i.ready = copies_.to_disk(b, i.disk, std::move(after), failed, held);
  }
  b.dirty = false;
}

void image_store::restore(tracked_page& b, memory_lock& held) {
  counters_.reloaded_bytes += b.bytes;
  b.dirty = false;
  if (b.below->host != nullptr) {
    b.arrival = copies_.from_host(b, b.below->host, b.below->ready, held);
    return;
  }
  counters_.disk_read_bytes += b.bytes;
  b.arrival = copies_.from_disk(b, b.below->disk, b.below->ready, held);
}

std::string image_store::describe() const {
  return cat("host memory for what leaves devices: ", host_.describe(), "; disk: ", file_.used(), " of ",
             below_.spill_limit, " bytes in ", below_.spill_directory);
}

}  // namespace tessera::memory
