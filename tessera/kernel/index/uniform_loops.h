#pragma once

#include <string>
#include <vector>

#include "tessera/kernel/source/outline.h"

namespace tessera::kernels {

/// What must hold so that the loops of a kernel whose bounds are arguments and numbers have a first turn:
/// `(int)(0) < (steps)`. A driver tests these expressions and may tell the compiler; nothing else relies on them, so
/// that it does no harm if a name in them should mean something else to the kernel. They cannot fail.
[[nodiscard]] std::vector<std::string> first_turns(const outline& source, const declaration& kernel,
                                                   const std::vector<std::string_view>& scalars);

}  // namespace tessera::kernels
