#include "tessera/algo/function/lambda.h"

#include <cctype>

#include "tessera/base/bytes/hash.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

std::string place_of(const lambda_source& source) { return cat(source.file, ":", source.line); }

/// Behind the bracket that closes the one at `open`.
std::size_t behind_bracket(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t k = open; k < text.size(); ++k) {
    const char c = text[k];
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    if (depth == 0) return k + 1;
  }
  return text.size();
}

/// "(a, n)" as the names a and n.
std::vector<std::string> names_of(std::string_view captures) {
  std::vector<std::string> names;
  for (const char c : captures) {
    if (c == '(' || c == ',') {
      names.emplace_back();
    } else if (c != ')' && std::isspace(static_cast<unsigned char>(c)) == 0) {
      names.back() += c;
    }
  }
  return names;
}

bool is_name(std::string_view text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) != 0) return false;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') return false;
  return true;
}

std::string members_of(const lambda_source& source, const std::vector<captured_member>& members) {
  const std::vector<std::string> names = names_of(source.captures);
  if (names.size() != members.size())
    throw argument_error(cat(place_of(source), ": TS_FN lists ", names.size(), " captures"));
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (!is_name(names[k]))
      throw argument_error(cat(place_of(source), ": TS_FN lists the variables that the lambda captures, but '",
                               names[k], "' is no variable"));
    text += cat("  ", members[k].type, " ", names[k], ";\n");
  }
  return text;
}

/// The lambda as a call operator: "[=](float x) -> float { ... }" without its brackets and with a const.
std::string call_operator(const lambda_source& source) {
  const std::string_view text = source.text;
  const std::size_t behind_captures = behind_bracket(text, text.find('['));
  const std::size_t open = text.find_first_not_of(" \t", behind_captures);
  if (open == std::string_view::npos || text[open] != '(')
    throw argument_error(cat(place_of(source), ": TS_FN takes a lambda with a list of typed parameters"));
  const std::size_t behind_parameters = behind_bracket(text, open);
  return cat("  __device__ auto operator()", text.substr(open, behind_parameters - open), " const",
             text.substr(behind_parameters), "\n");
}

}  // namespace

lambda_text functor_of(const lambda_source& source, const std::vector<captured_member>& members) {
  const std::string scope = known_scope(scope_in_signature(source.signature));
  const std::string body =
      cat(members_of(source, members), "\n#line ", source.line, " \"", source.file, "\"\n", call_operator(source));
  const std::string name = cat("fn_", hash_of(std::as_bytes(std::span(body))));
  const std::string text = in_namespace(scope, cat("\nstruct ", name, " {\n", body, "};\n"));
  return {scope.empty() ? name : scope + "::" + name, text, cat("TS_FN at ", place_of(source))};
}

}  // namespace tessera::algo
