#pragma once

#include "tessera/nd/emit/text/kernel_text.h"

namespace tessera::nd {

/// What a GPU's kernel does between its braces: a thread has four elements, a block apart or on as many rows, and loads
/// all that they need before it computes one. What lies across the edge of a window or of the domain is done element
/// by element.
[[nodiscard]] std::string gpu_pointwise(const group& made, const launch_space& space);

}  // namespace tessera::nd
