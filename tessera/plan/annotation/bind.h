#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "tessera/plan/access/access.h"

namespace tessera::plan {

class annotation;

/// What is passed for one parameter of the kernel.
struct array_argument {
  const extents* shape = nullptr;  ///< Of the array or slice; null for scalars and for null arrays, whose rules vanish.
  bool contiguous = true;          ///< False for a slice with gaps: no `as` can be applied to it.
  bool by_value = false;  ///< One element for a parameter that is no pointer: every part of the launch reads it.
};

/// Adds the rules of arguments by value, which no annotation names.
void add_values(access_pattern& pattern, std::span<const array_argument> arrays);

/// A table that a launch gives, with its name.
using named_intervals = std::pair<std::string, intervals>;

/// What a launch knows. Borrowed for the call.
struct bind_context {
  /// One per annotation::constants(); absent where the launch does not give it.
  std::span<const std::optional<std::int64_t>> constants;
  std::span<const array_argument> arrays;  ///< One per parameter of the kernel.
  std::span<const named_intervals> tables{};
};

/// The pattern of one launch. Throws `argument_error`, with the text and a caret, for a constant that is missing,
/// overflows or is not positive where it must be, for indices or views that do not suit the array's shape, for a table
/// that is missing, and for one that is given twice or not named.
[[nodiscard]] access_pattern bind(const annotation& a, const bind_context& context);

}  // namespace tessera::plan
