#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tessera/base/geometry/box.h"
#include "tessera/base/ids.h"

namespace tessera::plan {

/// Which instructions read which part of one copy since it was last written. It lies beside the map of writers and not
/// in it: readers whose boxes move, grow or shrink from launch to launch would cut the map into ever smaller pieces.
/// A reader may be kept for more than it read, which costs a later write a dependency that it does not need.
///
/// Entries are sorted along one axis but for the last few, so that a question costs a search and its answer.
class reader_list {
 public:
  /// `reader` uses `bounds`. Readers up to `ended` are forgotten, all of them at the latest when the list has doubled.
  void add(const box& bounds, instruction_id reader, instruction_id ended);
  /// `bounds` has been written. Readers up to `ended` are forgotten once as many were met as there are.
  void erase(const box& bounds, instruction_id ended = {});
  void clear();

  /// Appends the readers of some part of `bounds`, with duplicates.
  void append_readers(const box& bounds, std::vector<instruction_id>& out) const;
  void append_all(std::vector<instruction_id>& out) const;
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  struct entry {
    box bounds;
    instruction_id reader;   // the first of all instructions, which never reads: the entry is gone
    std::int64_t reach = 0;  // of a sorted entry: the largest end of it and those before it, along the axis
  };
  /// Calls f(index) for the entries that meet `bounds`.
  template <class F>
  void visit(const box& bounds, F f) const;
  void forget(instruction_id ended);
  void sort();
  void sort_if_needed();

  std::vector<entry> entries_;
  std::size_t sorted_ = 0;  // entries before it are sorted by where they begin along the axis
  std::size_t gone_ = 0;    // entries that count for nothing
  std::size_t full_ = 0;    // forget what has ended when there are so many
  std::size_t met_ = 0;     // entries that writes met since
  int axis_ = 0;
};

}  // namespace tessera::plan
