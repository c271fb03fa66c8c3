#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/kernel/source/outline.h"

namespace tessera::kernels {

/// Reading the statements of a function's body, by tokens alone. Positions are those of `outline::code`.

/// The position behind the statement at `begin`; `end` where that makes no sense.
[[nodiscard]] std::size_t statement_end(const outline& source, std::size_t begin, std::size_t end);

/// One name that a declaration declares.
struct declarator {
  std::size_t name = 0;   ///< Position.
  std::string type;       ///< As it may stand alone: "const float *", without extents of arrays.
  std::string extents;    ///< "[4][2]", or empty.
  token_range initial;    ///< What it begins as, without `=`, or with its brackets; may be empty.
  std::size_t end = 0;    ///< Where its scope begins.
  bool is_const = false;  ///< The name itself, not what it points to.
  bool is_reference = false;
};

/// What `statement` (with its `;`) declares, if it is a declaration of variables.
[[nodiscard]] std::optional<std::vector<declarator>> read_declaration(const outline& source, token_range statement);

/// `name = value;`, `name += value;`, `++name;`: the last has no value. Without the `;`, too.
struct assignment {
  std::size_t name = 0;
  token_range value;
};
[[nodiscard]] std::optional<assignment> read_assignment(const outline& source, token_range statement);

/// The position behind the parenthesis that must stand at `at`, or `end`.
[[nodiscard]] std::size_t after_parentheses(const outline& source, std::size_t at, std::size_t end);

/// =, +=, ++, ...: what changes the operand it stands behind.
[[nodiscard]] bool is_assignment_operator(const token& t);

/// int, unsigned, const, ...: words that can only stand in a type.
[[nodiscard]] bool is_type_word(std::string_view word);

}  // namespace tessera::kernels
