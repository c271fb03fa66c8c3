#pragma once

#include <span>

#include "tessera/kernel/source/outline.h"
#include "tessera/kernel/source/signature.h"

namespace tessera::kernels {

/// One parameter from its tokens. Names of types are resolved through the source's macros, `typedef`s and aliases;
/// what stays unknown is taken for a structure. Throws `compile_error` at `position` for references, pointers to
/// pointers and functions.
[[nodiscard]] parameter parse_parameter(std::span<const token> tokens, const outline& source,
                                        const std::string& position);

}  // namespace tessera::kernels
