#pragma once

#include <string>
#include <string_view>

#include "tessera/algo/exec/call_text.h"

namespace tessera::algo {

/// What the marks in the pattern of a kernel stand for.
struct pattern_values {
  std::string type;       ///< @A
  std::string element;    ///< @E: the element at `i`.
  operator_text combine;  ///< @<a|b@>: a and b combined.
  operator_text last{};   ///< @(a@): a as it is stored.
};
[[nodiscard]] std::string filled(std::string_view pattern, const pattern_values& values);
/// `pattern` with `text` for each `mark`, for marks of one kernel alone.
[[nodiscard]] std::string replaced(std::string_view pattern, std::string_view mark, std::string_view text);

}  // namespace tessera::algo
