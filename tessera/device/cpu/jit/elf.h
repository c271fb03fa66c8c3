#pragma once

#include <cstddef>
#include <span>

namespace tessera::device {

/// What can be told of a shared library without loading it.
struct library_facts {
  /// Every part that its tables name is there. The system's loader does not check this, and crashes.
  bool whole = false;
  /// It has variables that its functions can change, so that two users of one loaded copy would see each other.
  bool variables = false;
  /// It has variables that every thread has a copy of.
  bool per_thread = false;
};

[[nodiscard]] library_facts inspect_library(std::span<const std::byte> binary);

}  // namespace tessera::device
