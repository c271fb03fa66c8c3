#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <utility>
#include <vector>

#include "tessera/base/event.h"
#include "tessera/base/ids.h"
#include "tessera/memory/memory_lock.h"
#include "tessera/memory/span_table.h"
#include "tessera/memory/spill/image_store.h"

namespace tessera::memory {

/// Arrays that were released, or will be when what uses them last has ended: their memory is given back as soon as
/// nothing moves their contents. Every call needs the lock of memory, and none waits but `await_release` and `finish`.
class retired_arrays {
 public:
  retired_arrays(span_table& spans, image_store& images) : spans_(spans), images_(images) {}

  /// To be released when `last_uses` have happened, all of which were issued.
  void expect(array_id id, std::vector<event> last_uses) { expected_.push_back({id, std::move(last_uses)}); }
  /// Released, and not looked at before the next `collect`.
  void add(array_id id);
  /// Waits, without the lock, for the first of the releases to come and frees that array, if all of them together leave
  /// `bytes` of a device free. False if they do not: waiting for them is not enough.
  [[nodiscard]] bool await_release(std::int32_t device, std::int64_t bytes, memory_lock& held);
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
  struct expected_release {
    array_id id;
    std::vector<event> last_uses;
  };
  void destroy(array_entry& e) noexcept;

  span_table& spans_;
  image_store& images_;
  std::deque<expected_release> expected_;  // in the order of the plan
  std::vector<array_id> released_;
  std::list<span_table::array_map::node_type> busy_;
};

}  // namespace tessera::memory
