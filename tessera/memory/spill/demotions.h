#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tessera/memory/span_table.h"
#include "tessera/memory/spill/host_pool.h"
#include "tessera/memory/spill/image_copies.h"
#include "tessera/memory/spill/spill_file.h"
#include "tessera/memory/spill/spill_targets.h"
#include "tessera/memory/tracked_page.h"

namespace tessera::memory {

/// A place in the file for the contents that a page has now.
class record_maker {
 public:
  explicit record_maker(spill_file& file) : file_(file) {}
  /// Throws as `spill_file::allocate` does.
  [[nodiscard]] std::shared_ptr<disk_record> make(const tracked_page& b) { return make(b, file_.allocate(b.bytes)); }
  /// At a place that the page has already.
  [[nodiscard]] std::shared_ptr<disk_record> make(const tracked_page& b, const file_range& position);

 private:
  spill_file& file_;
  std::uint64_t generation_ = 0;
};

/// Images that go from host memory to the disk, so that the host keeps what is wanted sooner. Every call needs the lock
/// of memory.
class demotions {
 public:
  demotions(span_table& spans, spill_file& file, record_maker& records, host_pool& host, image_copies& copies,
            spill_counters& counters)
      : spans_(spans), file_(file), records_(records), host_(host), copies_(copies), counters_(counters) {}

  /// `spilled` goes to the disk because host memory is full. If an image in host memory is wanted later than that, it
  /// is copied to the disk as well, so that there is room the next time.
  void make_way_for(const tracked_page& spilled, std::uint64_t position);
  /// Gives up the host memory of images that are on the disk by now.
  void settle() noexcept;
  /// The image of `b` is about to be discarded.
  void cancel(tracked_page& b) noexcept;
  /// Pages are about to go away that might have been chosen.
  void forget_choice() noexcept { coldest_.clear(); }

 private:
  void find_coldest(std::uint64_t position);
  void demote(tracked_page& b);

  span_table& spans_;
  spill_file& file_;
  record_maker& records_;
  host_pool& host_;
  image_copies& copies_;
  spill_counters& counters_;
  std::vector<tracked_page*> under_way_;
  std::vector<tracked_page*> coldest_;  // candidates, the best at the end
  std::size_t patience_ = 0;            // pages to go to the disk before looking for candidates again
};

}  // namespace tessera::memory
