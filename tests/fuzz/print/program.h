#pragma once

#include <optional>
#include <span>
#include <string>

#include "tests/fuzz/run/execute.h"

namespace tessera::fuzz {

/// The program as C++ that stands alone: it needs Tessera only, returns 0 if all is right and says what is not. With
/// a failure it checks the wrong element; otherwise it checks all that is read.
[[nodiscard]] std::string as_cpp(const program& p, std::span<const outcome> expected,
                                 const std::optional<failure>& wrong);

/// The rows of a table as C++: "{{0, 4}, {4, 9}}".
[[nodiscard]] std::string rows_text(const row_table& t);

/// The body of a random kernel as C++.
[[nodiscard]] std::string native_body(const kernel& k, const int_list& block);

}  // namespace tessera::fuzz
