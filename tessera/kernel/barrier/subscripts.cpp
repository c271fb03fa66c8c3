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

/// Whether a sum has one number of any size besides indices of threads and small constants.
bool is_small_sum(const outline& source, token_range range, variable_roles& roles) {
  int others = 0;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const token& t = source.code[i];
    if (t.is("threadIdx")) {
      i += 2;
    } else if (t.is_identifier()) {
      others += roles.is_thread_index(i) ? 0 : 1;
      if (source.code[i + 1].is(".")) i += 2;
    } else if (!t.is("+") && !t.is("-") && !(t.kind == token_kind::number && t.text.size() < 6)) {
      return false;
    }
  }
  return others <= 1 && range.end - range.begin < 12;
}

/// The name in front of the subscript in the bracket at `open`.
std::string_view array_of(const outline& source, std::size_t open) {
  while (source.code[open - 1].is("]")) open = source.match[open - 1];
  return source.code[open - 1].text;
}

}  // namespace

std::vector<wide_subscript> find_subscripts(const outline& source, token_range statements, const shared_axes& shared,
                                            variable_roles& roles) {
  std::vector<wide_subscript> found;
  for (std::size_t i = statements.begin + 1; i < statements.end; ++i) {
    const token& before = source.code[i - 1];
    const bool behind = before.is_identifier() || before.is("]");
    if (!source.code[i].is("[") || !behind || source.match[i] <= i) continue;
    const token_range inside{i + 1, source.match[i]};
    if (!is_sum(source, inside) || !roles.is_of_index(inside)) continue;
    const auto array = shared.find(array_of(source, i));
    const bool element = array != shared.end() && array->second > 0;
    found.push_back({inside, element && is_small_sum(source, inside, roles)});
  }
  return found;
}

std::string widened(const outline& source, const wide_subscript& subscript) {
  std::string text;
  for (std::size_t i = subscript.range.begin; i < subscript.range.end; ++i) {
    const token& t = source.code[i];
    const bool operand = (t.is_identifier() && !source.code[i - 1].is(".")) || t.kind == token_kind::number;
    text += !operand ? "" : subscript.may_wrap ? " (long long)(int)" : " (long long)";
    text += t.text;
  }
  return text;
}

}  // namespace tessera::kernels
