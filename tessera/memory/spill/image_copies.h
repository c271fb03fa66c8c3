#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "tessera/base/event.h"
#include "tessera/memory/listener.h"
#include "tessera/memory/local_device.h"
#include "tessera/memory/memory_lock.h"
#include "tessera/memory/spill/disk_queue.h"
#include "tessera/memory/spill/host_pool.h"
#include "tessera/memory/spill/spill_file.h"
#include "tessera/memory/tracked_page.h"

namespace tessera::memory {

/// Copies the contents of pages to their images and back, behind the events in `after`. Every function begins a copy
/// and returns its event; it may have to let go of the lock meanwhile, with all pages in their places. Where a device
/// does not share the host's memory, what passes between it and the disk goes through a few buffers of host memory.
class image_copies {
 public:
  /// Called before the event of a copy that could not be made, on a thread of a device or of the disk.
  using failed = std::function<void(const std::exception_ptr& reason)>;

  image_copies(const std::vector<local_device>& devices, spill_file& file, host_pool& host)
      : devices_(devices), host_(host), disk_(file) {}

  /// Every movement is told to `to`, which outlives them all.
  void connect(listener* to) { listener_ = to; }

  [[nodiscard]] event to_host(const tracked_page& b, std::byte* host, const std::vector<event>& after, failed then,
                              memory_lock& held);
  [[nodiscard]] event to_disk(const tracked_page& b, std::shared_ptr<disk_record> record, std::vector<event> after,
                              failed then, memory_lock& held);
  /// A page whose contents cannot be brought back is told as lost.
  [[nodiscard]] event from_host(const tracked_page& b, std::byte* host, const event& after, memory_lock& held);
  [[nodiscard]] event from_disk(const tracked_page& b, std::shared_ptr<const disk_record> record, const event& after,
                                memory_lock& held);
  /// The image of `b` in host memory, to the disk.
  [[nodiscard]] event host_to_disk(const tracked_page& b, const std::byte* host, std::shared_ptr<disk_record> record,
                                   const event& after, failed then);

 private:
  using ended = disk_queue::ended;

  [[nodiscard]] const local_device& device_of(const tracked_page& b) const {
    return devices_[static_cast<std::size_t>(b.home->device)];
  }
  [[nodiscard]] ended report(const movement& m, failed then);
  [[nodiscard]] failed tell_lost(const tracked_page& b);
  [[nodiscard]] static std::vector<event> for_queue(const device::backend& backend, const std::vector<event>& events,
                                                    memory_lock& held);
  [[nodiscard]] std::byte* take_bounce(bounce_reserve& from, const tracked_page& b, memory_lock& held);

  const std::vector<local_device>& devices_;
  host_pool& host_;
  listener* listener_ = nullptr;
  disk_queue disk_;  // finishes first: what it still does uses the others
};

}  // namespace tessera::memory
