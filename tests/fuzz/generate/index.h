#pragma once

#include "tests/fuzz/frame/random.h"
#include "tests/fuzz/program/program.h"

namespace tessera::fuzz {

/// Draws the indices of rules for a launch that is being made: binds names as they are wanted, and decides the number
/// of threads on axes where it is still open (negative).
class index_drawer {
 public:
  index_drawer(random_source& random, launch_op& launch) : random_(random), launch_(launch) {}

  /// Indices by which different threads get different elements: every launch axis drives an axis of its own. May make
  /// `r` a rule for leaders.
  std::vector<index_spec> injective_indices(const int_list& space, rule& r);
  /// Any indices; empty means the whole array.
  std::vector<index_spec> any_indices(const int_list& space);

 private:
  int name(bound::kind from, std::size_t axis);
  index_spec driven_index(std::int64_t extent, std::size_t axis, rule& r);
  void flat_index(std::int64_t extent, index_spec& i, rule& r);
  index_spec fixed_index(std::int64_t extent);
  index_spec any_index(std::int64_t extent, std::size_t axis);
  index_spec around(const index_expr& e);
  index_spec by_block(std::size_t axis);
  index_spec half_open(const index_expr& e);
  index_spec rows(index_expr row);
  index_spec any_rows(index_expr row, std::size_t axis);

  random_source& random_;
  launch_op& launch_;
};

}  // namespace tessera::fuzz
