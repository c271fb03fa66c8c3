#include "tessera/kernel/split_names.h"

#include <algorithm>
#include <array>

#include "tessera/kernel/statements.h"

namespace tessera::kernels {
namespace {

/// Whether the address of the name at `i` is taken: `&` before it has no left operand, but perhaps a cast.
bool takes_address(const std::vector<token>& code, std::size_t i) {
  if (i == 0 || !code[i - 1].is("&")) return false;
  if (i == 1) return true;
  const token& before = code[i - 2];
  if (before.is(")")) {
    const bool pointer = i >= 3 && code[i - 3].is("*");
    const bool one_word = i >= 4 && code[i - 3].is_identifier() && code[i - 4].is("(");
    return pointer || one_word;
  }
  const bool operand = before.is_identifier() || before.kind == token_kind::number ||
                       before.kind == token_kind::literal || before.is("]");
  return !operand || before.is("return") || is_type_word(before.text);
}

/// Whether a name behind `before` is declared there: another one of that name.
bool declares(const token& before) {
  static constexpr std::array<std::string_view, 6> others = {"return", "else", "do", "case", "throw", "sizeof"};
  return before.is_identifier() && std::find(others.begin(), others.end(), before.text) == others.end();
}

}  // namespace

known_names::known_names(const outline& source, const reach& needed) : source_(source) {
  const declaration& kernel = source.declarations[needed.kernel];
  std::size_t begin = kernel.parameters.begin;
  for (std::size_t i = begin; i <= kernel.parameters.end && begin < kernel.parameters.end; ++i) {
    const bool last = i == kernel.parameters.end;
    if (!last && !source.code[i].is(",")) {
      i = std::max(source.match[i], i);
      continue;
    }
    for (std::size_t k = i; k-- > begin;) {
      if (!source.code[k].is_identifier()) continue;
      in_order_.push_back(source.code[k].text);
      parameters_.insert(source.code[k].text);
      if (!source.holds({begin, i}, {"*", "[", "&"})) scalars_.insert(source.code[k].text);
      break;
    }
    begin = i + 1;
  }
  for (std::size_t n = 0; n < source.declarations.size(); ++n) {
    const declaration& d = source.declarations[n];
    if (d.kind == declaration_kind::function || d.kind == declaration_kind::prototype) {
      if (source.holds(d.parameters, {"&", "&&"})) by_reference_.insert(d.names.begin(), d.names.end());
    } else if (source.holds(d.all, {"const", "constexpr", "__constant__", "enum"})) {
      constants_.insert(d.names.begin(), d.names.end());
    }
  }
  by_reference_.insert("swap");
}

bool known_names::may_point_at(token_range range, std::string_view name, std::size_t axes) const {
  const std::vector<token> code = expand_macros(source_, range);
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!code[i].is(name)) continue;
    if (takes_address(code, i)) return true;
    std::size_t subscripts = 0, depth = 0;
    for (std::size_t k = i + 1; k < code.size(); ++k) {
      if (depth == 0 && !code[k].is("[")) break;
      if (depth == 0) ++subscripts;
      depth += code[k].is("[") ? 1 : code[k].is("]") ? -1 : 0;
    }
    if (subscripts < axes) return true;
  }
  return false;
}

bool known_names::may_change(token_range range, std::string_view name) const {
  const std::vector<token> code = expand_macros(source_, range);
  std::vector<bool> open;  // for each open parenthesis: a call that may take references
  const auto next = [&](std::size_t i) { return i + 1 < code.size() ? code[i + 1] : token{}; };
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i].is("(")) {
      const bool named = i > 0 && code[i - 1].is_identifier();
      const bool member = i > 1 && (code[i - 2].is(".") || code[i - 2].is("->"));
      open.push_back(named && (member || by_reference_.contains(code[i - 1].text)));
    }
    if (code[i].is(")") && !open.empty()) open.pop_back();
    if (!code[i].is(name)) continue;
    const token before = i > 0 ? code[i - 1] : token{};
    if (before.is(".") || before.is("->") || before.is("::")) continue;
    if (declares(before)) continue;
    if (is_assignment_operator(next(i)) || before.is("++") || before.is("--")) return true;
    if (takes_address(code, i)) return true;
    if (next(i).is("[") || next(i).is(".") || next(i).is(")")) {
      // `p[i] = x` does not change p, and `v.x = y` does; `(v) = y`, too.
      std::size_t k = i + 1;
      while (k + 1 < code.size() && code[k].is(".")) k += 2;
      if (k > i + 1 && k < code.size() && (is_assignment_operator(code[k]) || code[k].is("("))) return true;
      const bool call = i > 1 && (code[i - 2].is_identifier() || code[i - 2].is("]") || code[i - 2].is(")"));
      if (before.is("(") && next(i).is(")") && !call && i + 2 < code.size() && is_assignment_operator(code[i + 2]))
        return true;
    }
    const bool alone = (before.is("(") || before.is(",")) && (next(i).is(")") || next(i).is(","));
    if (alone && !open.empty() && open.back()) return true;
  }
  return false;
}

}  // namespace tessera::kernels
