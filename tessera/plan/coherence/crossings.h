#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "tessera/plan/machine.h"
#include "tessera/plan/partition.h"

namespace tessera::plan {

/// What one superblock reads of what one device of another rank owns.
struct crossing {
  std::int64_t part = 0;   ///< The superblock.
  int source = 0;          ///< The device that owns it, numbered through all ranks.
  int reader = 0;          ///< The device of the superblock.
  std::vector<box> boxes;  ///< As a region lists them.
};

/// All that one rank takes part in: what others read of its own, and what it reads of theirs; by superblock, then by
/// source.
struct crossings {
  std::vector<crossing> out, in;
};

/// Where contents of one provenance lie: disjoint boxes that belong to a partition.
struct owned_boxes {
  partition_ptr owners;
  std::vector<box> boxes;
};

/// A pure function of owners and readers.
[[nodiscard]] crossings find_crossings(const std::vector<owned_boxes>& owned, const partition& readers,
                                       const machine_table& machine, node_id node);

/// Crossings of launches that are repeated: the same partitions come again and again.
class crossing_cache {
 public:
  [[nodiscard]] const crossings& find(const owned_boxes& owned, const partition_ptr& readers,
                                      const machine_table& machine, node_id node);

 private:
  struct entry {
    owned_boxes owned;
    partition_ptr readers;  // kept, so that no other partition gets its address
    crossings found;
  };
  static constexpr std::size_t most = 512;
  std::multimap<std::pair<const partition*, const partition*>, entry> entries_;
};

}  // namespace tessera::plan
