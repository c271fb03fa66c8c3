#pragma once

#include <map>

#include "tessera/plan/coherence/local_machine.h"
#include "tessera/plan/promised_copies.h"

namespace tessera::plan {

/// What the devices of one rank are promised of what was written, by device (numbered through all ranks); remembered,
/// because launches that are repeated write the same region again and again.
class promised_parts {
 public:
  [[nodiscard]] const std::map<int, region>& find(const promised_ptr& promised, const region& written,
                                                  const local_machine& machine);

 private:
  struct entry {
    promised_ptr promised;  // kept, so that no other object gets its address
    region written;
    std::map<int, region> parts;
  };
  static constexpr std::size_t most = 512;
  std::multimap<const promised_copies*, entry> entries_;
};

}  // namespace tessera::plan
