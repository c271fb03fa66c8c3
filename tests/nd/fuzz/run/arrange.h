#pragma once

#include <tessera/nd.h>

#include <span>

#include "tests/nd/fuzz/program/program.h"

namespace tessera::fuzz {

/// A new array of the elements of one or two others, as a call of the library.
[[nodiscard]] nd::array arranged(const step& s, std::span<const nd::array> from);

}  // namespace tessera::fuzz
