#pragma once

#include <string>

#include "tessera/nd/emit/text/kernel_text.h"
#include "tessera/nd/fuse/reduce.h"

namespace tessera::nd {

/// A launch of a reduction: what it combines, and whether its results are those of chunks or of everything.
struct reduce_step {
  const reduce_group& reduced;
  const reduction_functions& functions;
  const launch_space& space;
  bool is_last = true;
  int first_divisor = 0;  ///< Among the numbers of the group's function, where the divisors stand behind each other.

  /// The types of what is written: states, or the values of what is stored.
  [[nodiscard]] std::vector<scalar_kind> outputs() const;
};

/// Threads of a block, and columns of a tile where the sequence runs across one.
inline constexpr int reduce_threads = 128;

/// A kernel that combines the sequence of each row (and column), or of a chunk of it, into one state or result; these
/// are written to parameters o0, o1, ... behind all others.
[[nodiscard]] kernel_text reduce_text(const reduce_step& step);
/// The rules for what it writes.
[[nodiscard]] std::string reduce_rules(const reduce_step& step);
/// Appends what the text depends on to a key.
void append_reduce_key(std::string& key, const reduce_step& step);

}  // namespace tessera::nd
