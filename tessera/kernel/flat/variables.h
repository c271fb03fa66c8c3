#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tessera/kernel/source/outline.h"

namespace tessera::kernels {

/// A variable that a function's body declares, at any depth.
struct local_variable {
  std::string_view name;
  std::string type;  ///< As written, without extents; empty for what is no plain declaration.
};
[[nodiscard]] std::vector<local_variable> local_variables(const outline& source, token_range body);

/// The type that every declaration of `name` in the function writes: of its parameters and its body. Nothing if there
/// is none, if they differ, or if it is not a plain value.
[[nodiscard]] std::optional<std::string> type_of_variable(const outline& source, const declaration& function,
                                                          std::string_view name);

}  // namespace tessera::kernels
