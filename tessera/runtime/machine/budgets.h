#pragma once

#include <cstdint>

#include "tessera/base/config.h"
#include "tessera/memory/residency.h"

namespace tessera::runtime {

/// Bytes of memory that this process can count on: the machine's, or what its control group leaves it.
[[nodiscard]] std::int64_t machine_memory();

/// How much each memory may hold, and how much host memory the program may borrow: four fifths of the machine's.
struct memory_budgets {
  std::int64_t cpu_device = 0;  ///< Each device of kind cpu or null.
  memory::spill_targets below;
};

/// From the settings; what they leave out is taken from the machine, shared with the other ranks on it. A single CPU
/// device has the host's memory to itself, and what leaves it goes to the disk; otherwise devices have memories of
/// their own.
[[nodiscard]] memory_budgets choose_budgets(const options& settings, const std::vector<device_request>& devices);

}  // namespace tessera::runtime
