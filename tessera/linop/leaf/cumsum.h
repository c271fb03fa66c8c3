#pragma once

#include <string_view>

#include "tessera/linop/leaf/leaf.h"

namespace tessera::linop {

/// "Nx": y[i] = x[0] + ... + x[i] along the axis. The output is not the same index: "Nx -> Nx1". The axis must be the
/// last one; `rearrange` brings it there.
[[nodiscard]] op cumsum(std::string_view dimension, const named_sizes& sizes = {});

}  // namespace tessera::linop
