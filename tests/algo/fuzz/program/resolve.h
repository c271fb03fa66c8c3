#pragma once

#include <optional>

#include "tests/algo/fuzz/reference/reference.h"

namespace tessera::fuzz {

/// The operation for the containers as they are now; nothing if it has no meaning for them, if elements that it needs
/// are held by a guard, or if its result would not be determined bit by bit.
[[nodiscard]] std::optional<step> resolve(reference& state, const operation& o);

}  // namespace tessera::fuzz
