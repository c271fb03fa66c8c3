#pragma once

#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/kernel/source/preprocess.h"

namespace tessera::kernels {

/// What a declaration at namespace scope is, as far as its tokens tell.
enum class declaration_kind : std::uint8_t { function, prototype, type, other };

/// A half-open range of positions in `outline::code`.
struct token_range {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] bool empty() const { return begin >= end; }
};

struct declaration {
  declaration_kind kind = declaration_kind::other;
  std::string scope;       ///< Enclosing named namespaces: "a::b::", or empty.
  token_range all;         ///< From the first token to the closing `}` or `;`.
  std::size_t name = 0;    ///< Position of a function's name or a type's tag; `all.end` if it has none.
  token_range parameters;  ///< A function's, without the parentheses.
  token_range body;        ///< A function's or type's, without the braces.
  bool is_template = false;
  std::vector<std::string_view> names;  ///< What other code may call it by.
};

/// A source cut into its declarations, by tokens alone. Text that makes no sense ends up in `other` declarations.
struct outline {
  std::vector<token> code;
  macro_table macros;
  std::set<std::string_view> unsteady_macros;
  std::vector<std::size_t> match;  ///< For each bracket the position of its partner; its own where there is none.
  std::vector<declaration> declarations;

  [[nodiscard]] const token& name_of(const declaration& d) const { return code[d.name]; }
  /// True if the tokens of `range` hold `word`, or a macro whose body does.
  [[nodiscard]] bool mentions(token_range range, std::string_view word) const;
  /// True if one of the tokens of `range` is one of `words`, as they are written.
  [[nodiscard]] bool holds(token_range range, std::initializer_list<std::string_view> words) const;
  /// The tokens of `range` with a blank between each two.
  [[nodiscard]] std::string text(token_range range) const;
  /// A function's tokens before its parameters: qualifiers, return type, name.
  [[nodiscard]] token_range head(const declaration& d) const { return {d.all.begin, d.name}; }
};

[[nodiscard]] outline make_outline(active_code source);

/// The tokens of `range` with macros replaced by their bodies, as far as that can be done without arguments: a macro
/// with parameters keeps its call and is followed by its body. Gives up replacing beyond a generous length.
[[nodiscard]] std::vector<token> expand_macros(const outline& source, token_range range);

}  // namespace tessera::kernels
