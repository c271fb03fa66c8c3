#include "tessera/memory/residency.h"

#include <algorithm>
#include <utility>

#include "tessera/base/defects.h"
#include "tessera/base/index.h"
#include "tessera/memory/report.h"

namespace tessera::memory {
namespace {

/// Passed for arrays that a kernel declares nothing of.
alignas(256) std::byte nowhere[256];

/// Uses of the host's memory, and of no elements, need nothing.
bool needs_memory(const use& u) { return u.device != location::host_index && !u.bounds->empty(); }

}  // namespace

residency::residency(std::vector<local_device> devices, spill_targets below)
    : spans_(std::move(devices)),
      images_(spans_, std::move(below), counters_),
      retired_(spans_, images_),
      reclaimer_(spans_, images_, retired_, now_, counters_) {}

residency::~residency() {
  const memory_lock held(mutex_);
  for (const auto& [id, entry] : spans_.arrays()) retired_.add(id);
  retired_.collect();
  retired_.finish();
}

void residency::connect(listener& to) {
  const memory_lock held(mutex_);
  listener_ = &to;
  images_.connect(&to);
}

void residency::disconnect() {
  memory_lock held(mutex_);
  std::vector<event> movements = retired_.movements();
  spans_.for_each_page([&](const tracked_page& b) {
    for (const event& e : b.movements()) movements.push_back(e);
    return true;
  });
  held.wait([&] {
    for (const event& e : movements) e.wait();
  });
  listener_ = nullptr;
  images_.connect(nullptr);
}

void residency::declare(array_id id, const extents& shape, const dtype& type) {
  const memory_lock held(mutex_);
  spans_.declare(id, shape, type);
}

void residency::adopt(array_id id, const extents& shape, const dtype& type, std::byte* data) {
  const memory_lock held(mutex_);
  spans_.adopt(id, shape, type, data);
}

void residency::expect_release(array_id id, std::vector<event> last_uses) {
  const memory_lock held(mutex_);
  retired_.expect(id, std::move(last_uses));
}

void residency::release(array_id id) noexcept {
  const memory_lock held(mutex_);
  retired_.add(id);
  if (!mutex_.pages_stay()) retired_.collect();
}

const array_format& residency::format(array_id id) const {
  const memory_lock held(mutex_);
  return spans_.format(id);
}

copy_span& residency::span_of(array_id id, std::int32_t device) {
  if (copy_span* const s = spans_.span(id, device)) return *s;
  throw_out_of_memory(spans_, images_, device, spans_.format(id).bytes, id);
}

std::byte* residency::address(array_id id, std::int32_t device) {
  const memory_lock held(mutex_);
  if (device == location::host_index) return spans_.host_address(id);
  copy_span& s = span_of(id, device);
  // Nothing is declared of it. While there is memory, it is real all the same: a kernel may be wrong about that.
  if (s.data == nullptr && !spans_.pool(device).tracked) static_cast<void>(spans_.back(s, box::whole(s.format->shape)));
  return s.data == nullptr ? nowhere : s.data + s.format->origin;
}

bool residency::has_room(std::span<const use> uses, std::span<const std::int64_t> besides) const {
  if (short_.load(std::memory_order_relaxed)) return false;
  std::vector<std::int64_t> wanted(besides.begin(), besides.end());
  const memory_lock held(mutex_);
  for (const use& u : uses)
    if (u.device != location::host_index)
      wanted[static_cast<std::size_t>(u.device)] += spans_.missing_bytes(u.array, u.device, {u.bounds, 1});
  for (std::size_t d = 0; d < wanted.size(); ++d)
    if (!spans_.pools()[d].has_room(wanted[d])) return false;
  return true;
}

std::int64_t residency::missing_bytes(array_id id, std::int32_t device, std::span<const box> boxes) const {
  const memory_lock held(mutex_);
  return spans_.missing_bytes(id, device, boxes);
}

bool residency::is_small(array_id id, std::int32_t device, const box& bounds) const {
  if (device == location::host_index) return true;
  const memory_lock held(mutex_);
  return spans_.is_small(id, device, bounds);
}

void residency::announce(std::uint64_t position, std::span<const use> uses) {
  const memory_lock held(mutex_);
  for (const use& u : uses) {
    if (!needs_memory(u) || !spans_.pool(u.device).tracked) continue;
    if (!spans_.arrays().contains(u.array)) continue;  // declared by an instruction that is still to come
    span_table::for_each_page(span_of(u.array, u.device), *u.bounds,
                              [&](tracked_page& b, auto, auto) { b.uses.expect(position); });
  }
}

/// From now on pages are kept for everything on `device`.
void residency::track(std::int32_t device, memory_lock& held) {
  held.wait([&] { listener_->wait_for_issued(); });  // what uses a page now is not known
  spans_.track(device);
  short_ = true;
}

/// Gives memory to what is used on a device that is not tracked: that of arrays that will be released soon, if there is
/// no other, and only then by tracking the device.
void residency::back(copy_span& s, const box& bounds, memory_lock& held) {
  const device_pool& p = spans_.pool(s.device);
  while (!spans_.back(s, bounds)) {
    const std::int64_t wanted = spans_.missing_bytes(s.array, s.device, {&bounds, 1}) - (p.budget - p.used);
    if (!reclaimer_.await_release(s.device, std::max<std::int64_t>(wanted, 1), held)) return track(s.device, held);
  }
}

void residency::reserve(std::uint64_t position, std::span<const use> uses, std::vector<event>& waits,
                        workspace besides) {
  memory_lock held(mutex_);
  now_.pages.clear();
  retired_.collect();
  const workspace failed = std::exchange(now_.unclaimed, {});  // its instruction was not issued
  spans_.pool(failed.device).used -= failed.bytes;
  for (device_pool& p : spans_.pools()) p.take_back_workspace();
  for (const use& u : uses) {
    if (!needs_memory(u)) continue;
    copy_span& s = span_of(u.array, u.device);
    if (!spans_.pool(u.device).tracked) back(s, *u.bounds, held);
  }
  device_pool& lender = spans_.pool(besides.device);
  if (!lender.tracked && !lender.has_room(besides.bytes)) track(besides.device, held);
  if (short_.load(std::memory_order_relaxed)) {
    ++now_.number;
    now_.position = position;
    reserve_pages(uses, waits, besides, held);
  }
  lender.count(besides.bytes);
  now_.unclaimed = besides;
}

/// Notes what the reservation wants of each page.
void residency::touch(const use& u) {
  copy_span& s = *spans_.span(u.array, u.device);
  const bool dense = u.written && is_dense(*s.format, *u.bounds);
  span_table::for_each_page(s, *u.bounds, [&](tracked_page& b, std::int64_t begin, std::int64_t end) {
    if (b.reservation != now_.number) {
      b.reservation = now_.number;
      b.read = b.written = b.overwritten = false;
      b.uses.reach(now_.position);
      now_.pages.push_back(&b);
    }
    b.read = b.read || !u.written;
    b.written = b.written || u.written;
    b.overwritten = b.overwritten || planted("part_taken_for_whole") ||
                    (dense && begin <= std::max(b.begin, s.format->origin) && end >= b.begin + b.bytes);
  });
}

/// The reservation on devices that are, or were, short of memory.
void residency::reserve_pages(std::span<const use> uses, std::vector<event>& waits, workspace besides,
                              memory_lock& held) {
  for (const use& u : uses)
    if (needs_memory(u) && spans_.pool(u.device).tracked) touch(u);
  std::vector<std::int64_t> wanted(spans_.pools().size());
  if (spans_.pool(besides.device).tracked) wanted[index(besides.device)] = besides.bytes;
  for (tracked_page* b : now_.pages) {
    spans_.pool(b->home->device).keep(*b);
    if (!b->resident) wanted[index(b->home->device)] += b->bytes;
  }
  for (std::size_t d = 0; d < wanted.size(); ++d)
    if (wanted[d] > 0) reclaimer_.make_room(static_cast<std::int32_t>(d), wanted[d], held);
  for (tracked_page* b : now_.pages) bring(*b, waits, held);
  for (std::size_t d = 0; d < wanted.size(); ++d)
    // As much as the next instruction is likely to want, and as much again that is on its way while that one begins: so
    // a link is busy in both directions, and reservations do not wait for it.
    if (wanted[d] > 0) reclaimer_.evict_ahead(static_cast<std::int32_t>(d), 2 * wanted[d], held);
  retired_.collect();
}

/// Makes a page lie in the memory that was made free for it, with its contents if they are wanted.
void residency::bring(tracked_page& b, std::vector<event>& waits, memory_lock& held) {
  if (!b.resident) {
    reclaimer_.give_memory(b, held);
    if (b.below && b.defined && (b.read || !b.overwritten)) images_.restore(b, held);
    if (!b.below) b.defined = false;
  }
  if (!b.arrival.done() && !planted("arrival_unawaited")) waits.push_back(b.arrival);
  if (!b.written) return;
  if (b.below && !b.below->ready.done()) waits.push_back(b.below->ready);
  b.defined = true;
  b.dirty = b.dirty || !planted("dirty_block_lost") || !b.below;
}

void residency::reserved_for(const event& last) {
  if (now_.pages.empty() && now_.unclaimed.bytes == 0) return;
  const memory_lock held(mutex_);
  const workspace lent = std::exchange(now_.unclaimed, {});
  if (lent.bytes > 0) spans_.pool(lent.device).lent.emplace_back(last, lent.bytes);
  std::vector<std::int64_t> bytes(spans_.pools().size());
  for (tracked_page* b : now_.pages) {
    b->add_user(last);
    bytes[index(b->home->device)] += b->bytes;
  }
  for (std::size_t d = 0; d < bytes.size(); ++d)
    if (bytes[d] > 0) spans_.pools()[d].under_way.emplace_back(last, bytes[d]);
  now_.pages.clear();
}

/// As far as that is possible at once.
void residency::make_host_room(std::int64_t bytes) {
  if (!short_.load(std::memory_order_relaxed)) return;
  const memory_lock held(mutex_);
  if (!mutex_.pages_stay()) static_cast<void>(images_.make_room(bytes));
}

std::shared_ptr<std::byte> residency::stage(std::int64_t bytes) {
  make_host_room(bytes);
  return images_.host().stage(bytes);
}

std::shared_ptr<std::byte> residency::lend(std::int64_t bytes) {
  make_host_room(bytes);
  // Devices that share the host's memory reach all of it.
  const std::vector<local_device>& all = spans_.devices();
  const auto apart =
      std::find_if(all.begin(), all.end(), [](const local_device& d) { return !d.backend->shares_host_memory(); });
  return images_.host().lend(apart == all.end() ? all.front() : *apart, bytes);
}

std::int64_t residency::peak_bytes(int device) const {
  const memory_lock held(mutex_);
  return spans_.pools()[index(device)].peak;
}

spill_counters residency::counters() const {
  const memory_lock held(mutex_);
  return counters_;
}

memory_levels residency::levels() {
  const memory_lock held(mutex_);
  if (!mutex_.pages_stay()) retired_.collect();
  memory_levels now;
  for (device_pool& p : spans_.pools()) {
    p.take_back_workspace();
    now.devices.push_back(p.used);
  }
  now.host = images_.host().used();
  now.disk = images_.disk_bytes();
  return now;
}

std::string residency::describe() const {
  const memory_lock held(mutex_);
  return describe_memories(spans_, images_);
}

}  // namespace tessera::memory
