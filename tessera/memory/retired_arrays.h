#pragma once

#include <list>
#include <vector>

#include "tessera/base/event.h"
#include "tessera/base/ids.h"
#include "tessera/memory/span_table.h"
#include "tessera/memory/spill/image_store.h"

namespace tessera::memory {

/// Arrays that were released: their memory is given back as soon as nothing moves their contents. Every call needs the
/// lock of memory, and none waits but `finish`.
class retired_arrays {
 public:
  retired_arrays(span_table& spans, image_store& images) : spans_(spans), images_(images) {}

  /// Released, and not looked at before the next `collect`.
  void add(array_id id) { released_.push_back(id); }
  /// Frees what can be freed. Pages of the others are off the lists of their devices, which still count their bytes.
  void collect() noexcept;
  /// Nothing waits to be freed.
  [[nodiscard]] bool empty() const { return busy_.empty(); }
  /// What has happened when all of them can be freed, and when the first can be.
  [[nodiscard]] std::vector<event> movements() const;
  [[nodiscard]] std::vector<event> movements_of_first() const;
  /// Waits for all of them and frees them. The one call that waits with the lock held: no other thread is left.
  void finish() noexcept;

 private:
  void destroy(array_entry& e) noexcept;

  span_table& spans_;
  image_store& images_;
  std::vector<array_id> released_;
  std::list<span_table::array_map::node_type> busy_;
};

}  // namespace tessera::memory
