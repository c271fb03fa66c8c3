#pragma once

#include <unordered_map>

#include "tessera/plan/coherence/array_state.h"

namespace tessera::plan {

/// The arrays that one rank knows, with the state of their copies. A value.
class array_table {
 public:
  /// Arrays may have copies in `memories` memories of this rank.
  explicit array_table(int memories) : memories_(memories) {}

  /// Does nothing if the array is known.
  void create(array_id id, const extents& shape, const dtype& type, const partition_ptr& home);
  /// A number for an array that only this rank knows; it never comes again.
  [[nodiscard]] array_id next_temporary() { return array_id(next_temporary_++); }
  void erase(array_id id) { arrays_.erase(id); }

  /// Requires that the array is known.
  [[nodiscard]] array_state& at(array_id id) { return arrays_.at(id); }
  [[nodiscard]] const array_state& at(array_id id) const { return arrays_.at(id); }
  /// Null for arrays of which no state is kept, such as host memory.
  [[nodiscard]] array_state* find(array_id id) {
    const auto found = arrays_.find(id);
    return found == arrays_.end() ? nullptr : &found->second;
  }

  /// Pieces of state kept, all arrays together.
  [[nodiscard]] std::size_t tracked() const;

 private:
  int memories_;
  std::unordered_map<array_id, array_state> arrays_;
  std::uint64_t next_temporary_ = std::uint64_t{1} << 63;
};

}  // namespace tessera::plan
