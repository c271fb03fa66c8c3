#pragma once

#include <cstdint>
#include <string>

#include "tessera/device/access_listener.h"
#include "tessera/plan/access/index_spread.h"
#include "tessera/runtime/execute/access/checked_array.h"

namespace tessera::runtime {

/// Accesses of one kind that a launch does not declare, to one parameter: the first one, and how the indices of all
/// lie.
struct violation {
  enum class reason : std::uint8_t {
    undeclared,  ///< No rule of the thread has the element.
    unwritten,   ///< Read although it is declared `write` alone, and nothing was written there before.
    outside,     ///< In no array of the launch; `array` is the nearest.
  };
  std::size_t array = 0;
  std::size_t use = 0;
  reason why = reason::undeclared;
  device::memory_access::kind action = device::memory_access::kind::read;
  bool declared_otherwise = false;  ///< A rule has the element, with a mode that does not allow this.

  device::running_thread who{};  ///< Of the first access, as is what follows.
  extents at{};                  ///< In the coordinates of the parameter's rules.
  std::int64_t distance = 0;     ///< Outside: bytes before (negative) or behind the array.
  std::string line{};            ///< "file:line", or empty.

  plan::index_spread touched;  ///< Indices of these accesses.
  plan::index_spread allowed;  ///< Indices that the same threads declare in a way that allows such an access.

  [[nodiscard]] bool is_like(const violation& other) const {
    return array == other.array && use == other.use && why == other.why && action == other.action;
  }
  /// In the order of blocks, then of threads.
  [[nodiscard]] bool before(const violation& other) const;
  void join(const violation& other);
};

}  // namespace tessera::runtime
