#pragma once

#include <optional>
#include <vector>

#include "tessera/kernel/source/outline.h"

namespace tessera::kernels {

/// The tokens of `range` as a compiler sees them: macros replaced, with their arguments. Nothing if that is not to be
/// had: macros that paste, take any number of arguments or are not called as they are declared.
[[nodiscard]] std::optional<std::vector<token>> expand_calls(const outline& source, token_range range);

}  // namespace tessera::kernels
