#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tessera/plan/access/access.h"

namespace tessera::plan {

/// The access pattern of one launch with its code (see access_codec::code_of): equal patterns have equal codes, which
/// name them in caches, together with their tables, and between ranks.
struct bound_accesses {
  access_pattern pattern;
  std::vector<std::byte> code;
  std::vector<std::shared_ptr<const interval_table>> tables;  ///< Of the pattern, each once.
  std::uint64_t hash = 0;                                     ///< Of the code.
};

/// `pattern` with its code. A program that launches in a loop makes it once.
[[nodiscard]] std::shared_ptr<const bound_accesses> bind_accesses(access_pattern pattern);

}  // namespace tessera::plan
