#pragma once

#include "tessera/nd/emit/text/kernel_text.h"

namespace tessera::nd {

/// A kernel that stores every output of `made` at each index of the domain.
[[nodiscard]] kernel_text pointwise_text(const group& made, const launch_space& space);

}  // namespace tessera::nd
