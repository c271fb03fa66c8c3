#include "tessera/memory/spill/image_copies.h"

#include <utility>

namespace tessera::memory {
namespace {

/// Watches a copy between a device and an image, and says how it ended.
class copy_observer final : public device::observer {
 public:
  explicit copy_observer(disk_queue::ended then) : then_(std::move(then)) {}
  bool admit() noexcept override { return true; }
  void started() noexcept override { begin_ = disk_queue::clock::now(); }
  void ended() noexcept override { finish(nullptr); }
  void failed(std::exception_ptr reason) noexcept override { finish(std::move(reason)); }
  void describe(fixed_text& text) const noexcept override { text.append("memory being moved"); }

 private:
  ~copy_observer() = default;
  void finish(std::exception_ptr failure) noexcept {
    then_(std::move(failure), begin_);
    delete this;
  }
  disk_queue::ended then_;
  disk_queue::clock::time_point begin_ = disk_queue::clock::now();
};

device::copy_desc bytes_to(std::byte* target, std::byte* source, std::int64_t bytes) {
  return {{target, {1}}, {source, {1}}, {bytes}, 1};
}

}  // namespace

disk_queue::ended image_copies::report(const movement& m, failed then) {
  return [to = listener_, m, then = std::move(then)](const std::exception_ptr& reason, auto begin) {
    if (reason) then(reason);
    to->moved(m, begin, disk_queue::clock::now());
  };
}

image_copies::failed image_copies::tell_lost(const tracked_page& b) {
  return [to = listener_, array = b.home->array, device = b.home->device,
          parts = boxes_of_range(*b.home->format, b.begin, b.begin + b.bytes)](const std::exception_ptr& reason) {
    to->lost(array, device, parts, reason);
  };
}

/// `events` as far as the backend's queues can wait for them themselves; the others are waited for here.
std::vector<event> image_copies::for_queue(const device::backend& backend, const std::vector<event>& events,
                                           memory_lock& held) {
  std::vector<event> result;
  for (const event& e : events) {
    if (e.done()) continue;
    if (backend.can_wait(e))
      result.push_back(e);
    else
      held.wait_with_pages([&] { e.wait(); });
  }
  return result;
}

std::byte* image_copies::take_bounce(bounce_reserve& from, const tracked_page& b, memory_lock& held) {
  device::backend& owner = *device_of(b).backend;
  while (true) {
    if (std::byte* const taken = from.try_take(owner, b.bytes)) return taken;
    held.wait_with_pages([&] { from.wait_for_one(owner, b.bytes); });
  }
}

event image_copies::to_host(const tracked_page& b, std::byte* host, const std::vector<event>& after, failed then,
                            memory_lock& held) {
  const local_device& on = device_of(b);
  const movement m{"spill", b.home->array, b.home->device, true, false, b.bytes};
  const std::vector<event> waits = for_queue(*on.backend, after, held);
  auto* const watch = new copy_observer(report(m, std::move(then)));
  return on.backend->copy({{on.index, device::queue_kind::copy_out}, waits, watch}, bytes_to(host, b.data(), b.bytes));
}

event image_copies::to_disk(const tracked_page& b, std::shared_ptr<disk_record> record, std::vector<event> after,
                            failed then, memory_lock& held) {
  const local_device& on = device_of(b);
  const ended told = report({"spill", b.home->array, b.home->device, true, true, b.bytes}, std::move(then));
  if (on.backend->shares_host_memory()) return disk_.write(std::move(record), b.data(), std::move(after), told);
  std::byte* const bounce = take_bounce(host_.outward(), b, held);
  const std::vector<event> waits = for_queue(*on.backend, after, held);
  auto* const watch = new copy_observer([told](const std::exception_ptr& reason, auto begin) {
    if (reason) told(reason, begin);
  });
  const event copied =
      on.backend->copy({{on.index, device::queue_kind::copy_out}, waits, watch}, bytes_to(bounce, b.data(), b.bytes));
  return disk_.write(std::move(record), bounce, {copied}, [=, this](const auto& reason, auto begin) {
    host_.outward().give(bounce);
    told(reason, begin);
  });
}

event image_copies::from_host(const tracked_page& b, std::byte* host, const event& after, memory_lock& held) {
  const local_device& on = device_of(b);
  const ended told = report({"reload", b.home->array, b.home->device, false, false, b.bytes}, tell_lost(b));
  const std::vector<event> waits = for_queue(*on.backend, {after}, held);
  return on.backend->copy({{on.index, device::queue_kind::copy_in}, waits, new copy_observer(told)},
                          bytes_to(b.data(), host, b.bytes));
}

event image_copies::from_disk(const tracked_page& b, std::shared_ptr<const disk_record> record, const event& after,
                              memory_lock& held) {
  const local_device& on = device_of(b);
  const ended told = report({"reload", b.home->array, b.home->device, false, true, b.bytes}, tell_lost(b));
  if (on.backend->shares_host_memory()) return disk_.read(std::move(record), b.data(), {after}, told);
  std::byte* const bounce = take_bounce(host_.inward(), b, held);
  const event fetched = disk_.read(std::move(record), bounce, {after}, told);
  const std::vector<event> waits = for_queue(*on.backend, {fetched}, held);
  auto* const watch = new copy_observer([=, this](const std::exception_ptr& reason, auto begin) {
    host_.inward().give(bounce);
    if (reason) told(reason, begin);
  });
  return on.backend->copy({{on.index, device::queue_kind::copy_in}, waits, watch}, bytes_to(b.data(), bounce, b.bytes));
}

event image_copies::host_to_disk(const tracked_page& b, const std::byte* host, std::shared_ptr<disk_record> record,
                                 const event& after, failed then) {
  return disk_.write(std::move(record), host, {after},
                     report({"demote", b.home->array, b.home->device, true, true, b.bytes}, std::move(then)));
}

}  // namespace tessera::memory
