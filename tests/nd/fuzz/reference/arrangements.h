#pragma once

#include <span>

#include "tests/nd/fuzz/reference/types.h"

namespace tessera::fuzz {

/// A new array of the elements of one or two others. Throws `invalid_step`, and `refused_step` where the library must.
[[nodiscard]] plain_array arranged(const step& s, std::span<const plain_array> from);

}  // namespace tessera::fuzz
