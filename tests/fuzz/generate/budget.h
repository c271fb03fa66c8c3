#pragma once

#include <cstdint>
#include <string>

#include "tests/fuzz/program/program.h"

namespace tessera::fuzz {

/// Sizes for `options::device_memory` and `options::host_memory`; empty where the program sets no limit.
struct budget {
  std::string device, host;
};

/// The least memory of a device in which every launch of the program can run, plus the program's share of what lies
/// between that and all its arrays.
[[nodiscard]] budget budget_of(const program& p);

}  // namespace tessera::fuzz
