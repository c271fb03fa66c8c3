#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tessera/kernel/source/token.h"

namespace tessera::kernels {

/// Macros given from outside: name and value.
using define_list = std::vector<std::pair<std::string, std::string>>;

/// A `#define` of the source. The tokens point into the source.
struct macro {
  bool has_parameters = false;
  std::vector<std::string_view> parameters;  ///< `...` among them, if it is there.
  std::vector<token> body;
};
using macro_table = std::map<std::string, macro, std::less<>>;

/// What is left of the source after the conditions (`#if` and its kin) have been decided.
struct active_code {
  std::vector<token> tokens;            ///< Code only: no comments, no directives.
  macro_table macros;                   ///< As they stand at the end of the source.
  std::set<std::string_view> unsteady;  ///< Macros that meant something else before, or no longer mean anything.
};

/// Decides the conditions as the compiler of a kernel will, where they depend on the source's own and the given
/// macros. One that cannot be decided counts as true, so its other branch is not looked at. `defines` must outlive
/// the result.
[[nodiscard]] active_code select_active(const token_list& source, const define_list& defines);

/// Replaces every `#include "name"` whose file exists beside the including file by that file's text, under `#line`,
/// again and again, so that the result depends on no file of the user's. Others are left alone. Throws
/// `compile_error` where headers include each other without end.
[[nodiscard]] std::string inline_headers(const std::string& source, const std::string& file);

/// The name between the quotes or angle brackets of an `#include` line; empty if it is none. `quoted` says which.
[[nodiscard]] std::string_view included_name(std::string_view directive, bool& quoted);

/// "if", "define", ... and the text behind it, comments included.
struct directive_parts {
  std::string_view keyword;
  std::string_view rest;
};
[[nodiscard]] directive_parts split_directive(std::string_view directive);

}  // namespace tessera::kernels
