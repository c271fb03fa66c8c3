#pragma once

#include <optional>
#include <vector>

#include "tessera/kernel/source/token.h"

/// How a name is used, as far as the tokens around it tell. In all of this, macros have been replaced.
namespace tessera::kernels {

using tokens = std::vector<token>;

/// The token at `i`, or an empty one.
[[nodiscard]] token token_at(const tokens& code, std::size_t i);

/// A variable beside one of these is read, and what comes out is no variable.
[[nodiscard]] bool makes_value(const token& t);
/// Words that stand before an expression, not before a name that is declared.
[[nodiscard]] bool is_statement_word(const token& t);
/// What may stand before an operator with two operands.
[[nodiscard]] bool is_operand_end(const token& t);

/// A parenthesis that neither calls nor casts.
[[nodiscard]] bool is_group(const tokens& code, std::size_t open);
/// Whether `&` at `i` has no left operand: it takes an address, or declares a reference.
[[nodiscard]] bool is_unary(const tokens& code, std::size_t i);
/// The bracket around position `i` of its statement, if there is one.
[[nodiscard]] std::optional<std::size_t> bracket_around(const tokens& code, std::size_t i);

/// Whether `=` at `i` begins a reference: `int& a = ...`.
[[nodiscard]] bool begins_reference(const tokens& code, std::size_t i);
/// Whether a statement up to `i` has begun a reference.
[[nodiscard]] bool within_reference(const tokens& code, std::size_t i);

/// The first and last token of a variable with its members and the parentheses around it.
struct operand_range {
  std::size_t first, last;
};
[[nodiscard]] operand_range operand_range_at(const tokens& code, std::size_t i);

/// Whether the name at `i` is a member's, or declared there: another one.
[[nodiscard]] bool is_other_name(const tokens& code, std::size_t i);

}  // namespace tessera::kernels
