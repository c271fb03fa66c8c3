#include "tessera/kernel/barrier/subscripts.h"

#include "tessera/kernel/barrier/statements.h"

namespace tessera::kernels {
namespace {

/// Sums and products of plain names and numbers, at least one of them.
bool is_sum(const outline& source, token_range range) {
  bool sums = false;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const token& t = source.code[i];
    const bool operation = t.is("+") || t.is("-") || t.is("*");
    const bool name = t.is_identifier() && !is_type_word(t.text) && !source.macros.contains(t.text);
    if (!operation && !name && !t.is("(") && !t.is(")") && !t.is(".") && t.kind != token_kind::number) return false;
    const token& before = source.code[i - 1];
    const bool call = t.is("(") && (before.is_identifier() || before.is(")"));
    if (call || (before.is(")") && (name || t.kind == token_kind::number))) return false;  // or a cast
    sums = sums || operation;
  }
  return sums;
}

}  // namespace

std::vector<token_range> find_subscripts(const outline& source, token_range statements, variable_roles& roles) {
  std::vector<token_range> found;
  for (std::size_t i = statements.begin + 1; i < statements.end; ++i) {
    const token& before = source.code[i - 1];
    const bool element = before.is_identifier() || before.is("]");
    if (!source.code[i].is("[") || !element || source.match[i] <= i) continue;
    const token_range inside{i + 1, source.match[i]};
    if (is_sum(source, inside) && roles.is_of_index(inside)) found.push_back(inside);
  }
  return found;
}

std::string widened(const outline& source, token_range subscript) {
  std::string text;
  for (std::size_t i = subscript.begin; i < subscript.end; ++i) {
    const token& t = source.code[i];
    const bool operand = (t.is_identifier() && !source.code[i - 1].is(".")) || t.kind == token_kind::number;
    text += operand ? " (long long)" : "";
    text += t.text;
  }
  return text;
}

}  // namespace tessera::kernels
