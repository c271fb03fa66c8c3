#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "tessera/memory/listener.h"
#include "tessera/memory/memory_lock.h"
#include "tessera/memory/reservation.h"
#include "tessera/memory/span_table.h"
#include "tessera/memory/spill/demotions.h"
#include "tessera/memory/spill/host_pool.h"
#include "tessera/memory/spill/image_copies.h"
#include "tessera/memory/spill/spill_file.h"
#include "tessera/memory/spill/spill_targets.h"
#include "tessera/memory/tracked_page.h"

namespace tessera::memory {

/// Where the contents of pages are that are not on their device: in host memory up to its budget, then on the disk.
///
/// Every call needs the lock of memory. `save` and `restore` are for the thread that makes reservations: they may let
/// go of the lock while they wait for a place in between, and pages stay where they are meanwhile.
class image_store {
 public:
  image_store(span_table& spans, spill_targets below, spill_counters& counters);

  /// Before the first `save`. `to` outlives every movement.
  void connect(listener* to) { copies_.connect(to); }

  /// Begins to copy the contents of a page to its image, behind everything that uses it. Whether that succeeds is
  /// known when `image::ready` has happened. Throws `out_of_memory` if neither host memory nor the disk has room, and
  /// `io_error`; the page is as it was then.
  void save(tracked_page& b, const reservation& now, memory_lock& held);
  /// Begins to bring the contents of a page back from its image; `tracked_page::arrival` says when they are there.
  void restore(tracked_page& b, memory_lock& held);
  /// Gives up the image of a page, if it has one. Nothing may be moving it.
  void discard(tracked_page& b) noexcept;
  /// Arrays are about to go away.
  void forget_choice() noexcept { demotions_.forget_choice(); }

  /// True if host memory for `bytes` more can be had, if need be by giving up images of pages that their devices hold.
  bool make_room(std::int64_t bytes);

  [[nodiscard]] host_pool& host() { return host_; }
  [[nodiscard]] std::int64_t disk_bytes() const { return file_.used(); }
  /// "host memory for what leaves devices: ...; disk: ..."
  [[nodiscard]] std::string describe() const;

 private:
  [[nodiscard]] std::byte* take_host(const tracked_page& b);
  [[nodiscard]] std::byte* take_outdated(const tracked_page& b) noexcept;

  span_table& spans_;
  const spill_targets below_;
  spill_counters& counters_;
  host_pool host_{below_.host, below_.lendable};
  spill_file file_{below_.spill_directory, below_.spill_limit, below_.system};
  record_maker records_{file_};
  image_copies copies_;
  demotions demotions_;
};

}  // namespace tessera::memory
