#pragma once

#include <cstddef>
#include <span>
#include <string_view>

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

/// The bytes of the section `name` of a library's file; none if it has no such section, or one that is not all there.
[[nodiscard]] std::span<const std::byte> find_section(std::span<const std::byte> binary, std::string_view name);

}  // namespace tessera::device
