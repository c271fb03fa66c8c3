#pragma once

#include "tessera/nd/emit/text/kernel_text.h"

namespace tessera::nd {

/// Types of the text below.
[[nodiscard]] std::string gpu_pointwise_types();
/// What a GPU's kernel does between its braces: a thread has four elements, which are neighbours, a block apart, or
/// on as many rows, and loads all that they need before it computes one. What lies across the edge of a window or of
/// the domain is done element by element.
[[nodiscard]] std::string gpu_pointwise(const group& made, const launch_space& space);

}  // namespace tessera::nd
