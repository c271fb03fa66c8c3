#pragma once

#include <concepts>
#include <cstddef>

namespace tessera {

/// A signed number as an index into a standard container, where sizes are unsigned; `i` >= 0.
template <std::signed_integral Int>
[[nodiscard]] constexpr std::size_t index(Int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace tessera
