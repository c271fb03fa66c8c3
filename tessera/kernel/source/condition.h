#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tessera/kernel/source/preprocess.h"

namespace tessera::kernels {

/// The value of an `#if` expression. Nothing if it is malformed or needs what is not known here: macros with
/// parameters, `__has_include`, division by zero.
[[nodiscard]] std::optional<std::int64_t> evaluate_condition(const std::vector<token>& expression,
                                                             const macro_table& macros);

}  // namespace tessera::kernels
