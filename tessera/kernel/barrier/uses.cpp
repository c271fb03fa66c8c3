#include "tessera/kernel/barrier/uses.h"

#include <array>

#include "tessera/kernel/barrier/statements.h"

namespace tessera::kernels {
namespace {

std::size_t match_back(const tokens& code, std::size_t close) {
  int depth = 0;
  for (std::size_t i = close + 1; i-- > 0;) {
    depth += code[i].is(")") ? 1 : code[i].is("(") ? -1 : 0;
    if (depth == 0) return i;
  }
  return 0;
}

}  // namespace

bool makes_value(const token& t) {
  static constexpr std::array<std::string_view, 23> operators = {
      "+",  "-", "*", "/",  "%",  "<", ">", "<=",  ">=", "==",  "!=", "&&",
      "||", "^", "|", "<<", ">>", "!", "~", "and", "or", "not", "xor"};
  return is_among(operators, t.text);
}

bool is_statement_word(const token& t) {
  static constexpr std::array<std::string_view, 11> words = {"return", "else", "do",  "case", "throw", "sizeof",
                                                             "and",    "or",   "not", "xor",  "new"};
  return is_among(words, t.text);
}

bool is_operand_end(const token& t) {
  return (t.is_identifier() && !is_statement_word(t) && !is_type_word(t.text)) || t.kind == token_kind::number ||
         t.kind == token_kind::literal || t.is("]");
}

token token_at(const tokens& code, std::size_t i) { return i < code.size() ? code[i] : token{}; }

bool is_group(const tokens& code, std::size_t open) {
  if (open == 0) return true;
  const token& before = code[open - 1];
  if (before.is_identifier()) return is_statement_word(before);
  return !before.is(")") && !before.is("]") && !before.is(">") && !before.is(">>");
}

bool is_unary(const tokens& code, std::size_t i) {
  if (i == 0) return true;
  const token& before = code[i - 1];
  if (!before.is(")")) return !is_operand_end(before);
  const std::size_t open = match_back(code, i - 1);
  bool words = true;  // of a cast
  for (std::size_t k = open + 1; k + 1 < i; ++k)
    words = words && (code[k].is_identifier() || code[k].is("*") || code[k].is("::"));
  return words;
}

std::optional<std::size_t> bracket_around(const tokens& code, std::size_t i) {
  int depth = 0;
  while (i-- > 0) {
    const token& t = code[i];
    if (t.is(")") || t.is("]") || t.is("}")) ++depth;
    if (depth == 0 && t.is(";")) return std::nullopt;
    if (!t.is("(") && !t.is("[") && !t.is("{")) continue;
    if (depth-- == 0) return i;
  }
  return std::nullopt;
}

bool begins_reference(const tokens& code, std::size_t i) {
  return i >= 2 && code[i - 1].is_identifier() && (code[i - 2].is("&") || code[i - 2].is("&&"));
}

bool within_reference(const tokens& code, std::size_t i) {
  while (i-- > 0 && !code[i].is(";") && !code[i].is("{") && !code[i].is("}"))
    if (code[i].is("=") && begins_reference(code, i)) return true;
  return false;
}

operand_range operand_range_at(const tokens& code, std::size_t i) {
  operand_range o{i, i};
  while (token_at(code, o.last + 1).is(".") && token_at(code, o.last + 2).is_identifier()) o.last += 2;
  while (o.first > 0 && code[o.first - 1].is("(") && token_at(code, o.last + 1).is(")") && is_group(code, o.first - 1))
    --o.first, ++o.last;
  return o;
}

bool is_other_name(const tokens& code, std::size_t i) {
  if (i == 0) return false;
  const token& before = code[i - 1];
  if (before.is(".") || before.is("->") || before.is("::")) return true;
  return before.is_identifier() && !is_statement_word(before);  // declared here: another one of that name
}

}  // namespace tessera::kernels
