// Where the contents of blocks go that leave a device, and how they come back.

#include <algorithm>
#include <utility>

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

}  // namespace

/// `events` as far as the backend's queues can wait for them themselves; the others are waited for here.
std::vector<event> residency::for_queue(const device::backend& b, const std::vector<event>& events, lock& held) {
  std::vector<event> result;
  for (const event& e : events) {
    if (e.done()) continue;
    if (b.can_wait(e))
      result.push_back(e);
    else
      pinned(held, [&] { e.wait(); });
  }
  return result;
}

std::byte* residency::take_bounce(bounce_reserve& from, const block& b, lock& held) {
  device::backend& owner = *devices_[at(b.home->device)].backend;
  while (true) {
    if (std::byte* const block = from.try_take(owner, length(b))) return block;
    pinned(held, [&] { from.wait_for_one(owner, length(b)); });
  }
}

/// By images, what passes between devices and the disk, and messages.
std::int64_t residency::host_taken() const {
  return host_used_ + bounces_in_.used() + bounces_out_.used() + messages_->used();
}

std::shared_ptr<std::byte> residency::stage(std::int64_t bytes) {
  if (short_.load(std::memory_order_relaxed)) {
    const std::lock_guard held(mutex_);
    static_cast<void>(host_room(bytes));
  }
  return messages_->take(bytes);
}

/// True if host memory for `bytes` more can be had, if need be by giving up images of blocks that their devices hold.
bool residency::host_room(std::int64_t bytes) {
  settle_demotions();
  if (bytes > below_.host) return false;
  for (auto entry_at = arrays_.begin(); host_taken() + bytes > below_.host && entry_at != arrays_.end(); ++entry_at)
    for (copy_span& s : entry_at->second.copies)
      for (block& b : s.blocks) {
        if (!b.resident || b.leaving || !b.below || b.below->host == nullptr || !b.idle()) continue;
        discard_image(b);
        b.dirty = b.dirty || b.defined;
        if (host_taken() + bytes <= below_.host) break;
      }
  return host_taken() + bytes <= below_.host;
}

/// Host memory of an image whose block has changed since, for an image of `b`: host memory that devices reach quickly
/// takes longer to make than to fill.
std::byte* residency::take_outdated(const block& b) noexcept {
  for (block* other : pools_[at(b.home->device)].resident) {
    if (!other->dirty || !other->below || other->below->host == nullptr || length(*other) != length(b)) continue;
    if (!other->arrival.done() || !other->below->settled()) continue;
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
  if (b.below->demoted) {
    file_.release(b.below->demoted->where);
    std::erase(demoting_, &b);
  }
  b.below = nullptr;
}

/// A place in the file for the contents that a block has now.
std::shared_ptr<disk_record> residency::make_record(const block& b, const slot& where) {
  auto record = std::make_shared<disk_record>();
  record->where = where;
  record->bytes = length(b);
  record->identity =
      b.home->array.value * 0x9e3779b97f4a7c15ULL ^ static_cast<std::uint64_t>(b.begin) ^ ++generation_ << 40;
  return record;
}

/// Host memory for the image of `b`, or null.
std::byte* residency::take_host(const block& b) {
  if (std::byte* const again = take_outdated(b)) return again;  // which is counted already
  if (!host_room(length(b))) return nullptr;
  std::byte* const host = devices_[at(b.home->device)].backend->allocate_host(length(b));
  if (host != nullptr) host_used_ += length(b);
  return host;
}

/// Begins to copy the contents of a block to host memory or the disk, behind everything that uses it.
void residency::depart(block& b, lock& held) {
  settle_demotions();
  std::vector<event> after = b.users;
  after.push_back(b.arrival);
  const bool on_disk = b.below && b.below->host == nullptr;
  if (on_disk && b.idle() && host_taken() + length(b) <= below_.host) discard_image(b);  // there is room again
  if (!b.below) {
    auto made = std::make_shared<image>();
    made->host = take_host(b);
    if (made->host == nullptr) made->disk = make_record(b, file_.allocate(length(b)));
    b.below = std::move(made);
  } else if (!b.below->copied.done()) {
    after.push_back(b.below->copied);
  }
  b.below->demotion_outdated = true;
  b.below->stamp = stamp_;
  b.below->failed = false;
  counters_.spilled_bytes += length(b);
  const movement what{"spill", b.home->array, b.home->device, true, b.below->host == nullptr, length(b)};
  auto ended = [this, i = b.below, what](const std::exception_ptr& why, disk_queue::clock::time_point begin) {
    if (why) fail(*i, why);
    if (hooks_.moved) hooks_.moved(what, begin, disk_queue::clock::now());
  };
  if (b.below->host == nullptr) {
    depart_to_disk(b, std::move(after), ended, held);
  } else {
    const local_device& on = devices_[at(b.home->device)];
    const std::vector<event> waits = for_queue(*on.backend, after, held);
    b.below->ready = on.backend->copy({{on.index, device::queue_kind::copy_out}, waits, new mover(ended)},
                                      {{b.below->host, {1}}, {data_of(b), {1}}, {length(b)}, 1});
  }
  b.dirty = false;
}

void residency::depart_to_disk(block& b, std::vector<event> after, const disk_queue::ended& ended, lock& held) {
  const local_device& on = devices_[at(b.home->device)];
  counters_.disk_written_bytes += length(b);
  demote_what_is_wanted_after(b);
  // What was written before keeps its own record until the last user of it ends.
  b.below->disk = make_record(b, b.below->disk->where);
  if (on.backend->shares_host_memory()) {
    b.below->ready = disk_.write(b.below->disk, data_of(b), std::move(after), ended);
    return;
  }
  std::byte* const bounce = take_bounce(bounces_out_, b, held);
  const std::vector<event> waits = for_queue(*on.backend, after, held);
  auto* const watch = new mover([ended](const std::exception_ptr& why, auto begin) {
    if (why) ended(why, begin);
  });
  const event copied = on.backend->copy({{on.index, device::queue_kind::copy_out}, waits, watch},
                                        {{bounce, {1}}, {data_of(b), {1}}, {length(b)}, 1});
  b.below->ready = disk_.write(b.below->disk, bounce, {copied}, [=, this](auto why, auto begin) {
    bounces_out_.give(bounce);
    ended(why, begin);
  });
}

/// Begins to bring the contents of a block back from its image.
void residency::arrive(block& b, lock& held) {
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
    const std::vector<event> waits = for_queue(*on.backend, after, held);
    b.arrival = on.backend->copy({{on.index, device::queue_kind::copy_in}, waits, new mover(ended)},
                                 {{data_of(b), {1}}, {b.below->host, {1}}, {length(b)}, 1});
    return;
  }
  counters_.disk_read_bytes += length(b);
  if (on.backend->shares_host_memory()) {
    b.arrival = disk_.read(b.below->disk, data_of(b), after, ended);
    return;
  }
  std::byte* const bounce = take_bounce(bounces_in_, b, held);
  const event fetched = disk_.read(b.below->disk, bounce, after, ended);
  const std::vector<event> waits = for_queue(*on.backend, {fetched}, held);
  auto* const watch = new mover([=, this](const std::exception_ptr& why, auto begin) {
    bounces_in_.give(bounce);
    if (why) ended(why, begin);
  });
  b.arrival = on.backend->copy({{on.index, device::queue_kind::copy_in}, waits, watch},
                               {{data_of(b), {1}}, {bounce, {1}}, {length(b)}, 1});
}

/// `b` goes to the disk because host memory is full. If something there is wanted later than `b`, that goes to the disk
/// as well, so that there is room the next time.
void residency::demote_what_is_wanted_after(const block& b) {
  const std::uint64_t wanted = b.uses.next(position_);
  if (patience_ > 0)
    --patience_;
  else if (coldest_.empty())
    find_coldest();
  while (!coldest_.empty()) {
    block& c = *coldest_.back();
    coldest_.pop_back();
    if (c.resident || !c.below || c.below->host == nullptr || !c.below->settled() || c.below->demoted) continue;
    if (c.uses.next(position_) <= wanted) continue;
    return demote(c);
  }
}

/// The blocks whose host memory is wanted last, the very last one at the end. The more there are to look at, the longer
/// until the next time.
void residency::find_coldest() {
  std::vector<std::pair<std::uint64_t, block*>> all;
  std::size_t looks = 0;
  for (auto& [id, e] : arrays_)
    for (copy_span& s : e.copies)
      for (block& b : s.blocks)
        if (++looks, !b.resident && b.below && b.below->host != nullptr) all.emplace_back(b.uses.next(position_), &b);
  const std::size_t enough = std::min(all.size(), std::size_t{64});
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(enough), all.end(), std::greater<>());
  for (std::size_t k = enough; k > 0; --k) coldest_.push_back(all[k - 1].second);
  constexpr std::size_t looks_each = 64;
  patience_ = looks / looks_each;
}

void residency::demote(block& b) {
  image& i = *b.below;
  try {
    i.demoted = make_record(b, file_.allocate(length(b)));
  } catch (const error&) {
    return;  // it stays where it is
  }
  i.demotion_outdated = false;
  counters_.disk_written_bytes += length(b);
  demoting_.push_back(&b);
  const movement what{"demote", b.home->array, b.home->device, true, true, length(b)};
  i.copied = disk_.write(i.demoted, i.host, {i.ready}, [this, what, of = b.below](const auto& why, auto begin) {
    if (why) of->demotion_outdated = true;
    if (hooks_.moved) hooks_.moved(what, begin, disk_queue::clock::now());
  });
}

/// Gives up the host memory of images that are on the disk by now.
void residency::settle_demotions() noexcept {
  std::erase_if(demoting_, [&](block* b) {
    image& i = *b->below;
    if (!i.copied.done() || !b->arrival.done()) return false;
    if (i.demotion_outdated || !i.ready.done()) {
      file_.release(i.demoted->where);
    } else {
      devices_[at(b->home->device)].backend->deallocate_host(std::exchange(i.host, nullptr), length(*b));
      host_used_ -= length(*b);
      i.disk = std::move(i.demoted);
    }
    i.demoted = nullptr;
    return true;
  });
}

bool residency::busy(const entry& e) {
  for (const copy_span& s : e.copies)
    for (const block& b : s.blocks)
      for (const event& event : b.movements())
        if (!event.done()) return true;
  return false;
}

void residency::bury_the_dead() noexcept {
  for (const array_id id : std::exchange(released_, {})) release_now(id);
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
