#include "tessera/kernel/analysis/variable_uses.h"

#include <algorithm>
#include <array>

#include "tessera/kernel/analysis/variables.h"
#include "tessera/kernel/barrier/statements.h"
#include "tessera/kernel/barrier/uses.h"
#include "tessera/kernel/source/macro_calls.h"
#include "tessera/kernel/wrap/prelude.h"

namespace tessera::kernels {
namespace {

std::vector<token> expanded(const outline& source, token_range range) {
  std::optional<std::vector<token>> code = expand_calls(source, range);
  return code ? *std::move(code) : expand_macros(source, range);
}

std::string_view last_part(std::string_view path) {
  const std::size_t at = path.rfind("::");
  return at == std::string_view::npos ? path : path.substr(at + 2);
}

/// Whether the token at `i` may be the variable: not a member, nor a name of another namespace.
bool may_be(const std::vector<token>& code, std::size_t i, const file_variable& v) {
  if (!code[i].is(last_part(v.name))) return false;
  if (i == 0) return true;
  if (code[i - 1].is(".") || code[i - 1].is("->")) return false;
  if (!code[i - 1].is("::") || i < 2 || !code[i - 2].is_identifier()) return true;
  const std::string_view whole = v.name;
  const std::string_view scope = whole.substr(0, whole.size() - std::min(whole.size(), last_part(whole).size() + 2));
  return last_part(scope) == code[i - 2].text;
}

/// Whether a statement, or the head of a `for`, begins at `i`.
bool begins_statement(const std::vector<token>& code, std::size_t i) {
  if (i == 0) return true;
  const token& before = code[i - 1];
  return before.is(";") || before.is("{") || before.is("}") || (before.is("(") && i > 1 && code[i - 2].is("for"));
}

/// Whether the statement that holds `i` begins with a type and another name: `float a = 1, b`.
bool follows_declared(const std::vector<token>& code, std::size_t i) {
  int depth = 0;
  for (std::size_t k = i; k-- > 0;) {
    if (code[k].is(")") || code[k].is("]") || (code[k].is("}") && depth > 0)) ++depth;
    if (code[k].is("(") || code[k].is("[")) --depth;
    if (depth < 0) return false;
    if (depth == 0 && begins_statement(code, k))
      return is_type_word(code[k].text) ||
             (code[k].is_identifier() && !is_statement_word(code[k]) && token_at(code, k + 1).is_identifier());
  }
  return false;
}

/// Whether the name at `i` is declared there: behind a type, or behind another name that is.
bool is_declared(const std::vector<token>& code, std::size_t i) {
  if (i == 0) return false;
  const token& before = code[i - 1];
  const token next = token_at(code, i + 1);
  const bool ends = next.is("=") || next.is(";") || next.is(",") || next.is("[") || next.is("(") || next.is("{") ||
                    next.is(")") || next.is(":");
  if (!ends) return false;
  if (before.is_identifier()) return !is_statement_word(before) && !before.is("goto");
  if (before.is(",")) return follows_declared(code, i - 1);
  std::size_t type = i - 1;
  while (type > 0 && (code[type].is("*") || code[type].is("&") || code[type].is("&&"))) --type;
  if (type == i - 1 || next.is("(")) return false;
  if (is_type_word(code[type].text) || (code[type].is(">") && !next.is(")"))) return true;
  return code[type].is_identifier() &&
         (begins_statement(code, type) || (type > 0 && is_type_word(code[type - 1].text)));
}

/// Where the scope ends of a name that is declared at `i`.
std::size_t scope_end(const std::vector<token>& code, std::size_t i) {
  int depth = 0;
  bool in_head = false;  // of a `for`, or among the parameters of a lambda: it lives as long as what follows
  for (std::size_t k = i; k < code.size(); ++k) {
    const token& t = code[k];
    if (t.is("(") || t.is("[") || t.is("{")) ++depth;
    if (t.is(")") || t.is("]") || t.is("}")) --depth;
    if (depth == 0 && in_head && (t.is(";") || t.is("}"))) return k + 1;
    if (depth >= 0) continue;
    if (t.is("}")) return k;
    in_head = true;
    depth = 0;
  }
  return code.size();
}

/// From the beginning of the statement to `i`.
bool says_const_before(const std::vector<token>& code, std::size_t i) {
  while (i-- > 0 && !code[i].is(";") && !code[i].is("{") && !code[i].is("}"))
    if (code[i].is("const")) return true;
  return false;
}

bool has_parameter(const std::vector<token>& parameters, std::string_view name) {
  for (std::size_t i = 1; i < parameters.size(); ++i) {
    const token next = token_at(parameters, i + 1);
    const bool ends = next.text.empty() || next.is(",") || next.is("[") || next.is("=") || next.is(")");
    if (parameters[i].is(name) && ends && !parameters[i - 1].is("=") && !parameters[i - 1].is("[")) return true;
  }
  return false;
}

/// A parameter by value, or one through which nothing can be changed.
bool takes_constants(const std::vector<token>& parameters) {
  bool constant = false, address = false;
  int depth = 0;
  for (std::size_t i = 0; i <= parameters.size(); ++i) {
    const token t = token_at(parameters, i);
    depth += t.is("(") || t.is("<") ? 1 : t.is(")") || t.is(">") ? -1 : 0;
    if (i < parameters.size() && (!t.is(",") || depth > 0)) {
      constant = constant || t.is("const");
      address = address || t.is("*") || t.is("&") || t.is("&&") || t.is("[") || t.is("...");
      continue;
    }
    if (address && !constant) return false;
    constant = address = false;
  }
  return true;
}

}  // namespace

variable_uses::variable_uses(const outline& source) : source_(source) {
  for (const declaration& d : source.declarations)
    if (d.kind == declaration_kind::function || d.kind == declaration_kind::prototype)
      functions_.emplace(source.name_of(d).text, takes_constants(expanded(source, d.parameters)));
}

const std::vector<token>& variable_uses::code_of(std::size_t n) const {
  const auto [at, fresh] = expanded_.try_emplace(n);
  if (!fresh) return at->second;
  const declaration& d = source_.declarations[n];
  at->second = expanded(source_, d.kind == declaration_kind::function ? d.body : d.all);
  return at->second;
}

variable_uses::answer variable_uses::look(std::size_t n, const file_variable& v) const {
  answer result;
  const declaration& d = source_.declarations[n];
  if (d.kind == declaration_kind::prototype) return result;
  if (d.kind == declaration_kind::function && has_parameter(expanded(source_, d.parameters), last_part(v.name)))
    return result;
  const tokens& code = code_of(n);
  std::size_t hidden_until = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (i < hidden_until || !may_be(code, i, v)) continue;
    if (is_declared(code, i)) {
      hidden_until = scope_end(code, i);
      continue;
    }
    result.used = true;
    result.changed = result.changed || (!v.is_const && !v.is_constant && changes(code, i, v));
  }
  return result;
}

bool variable_uses::changes(const tokens& code, std::size_t i, const file_variable& v) const {
  operand_range o{i, i};
  if (i > 1 && code[i - 1].is("::")) o.first = code[i - 2].is_identifier() ? i - 2 : i - 1;
  if (i == 1 && code[0].is("::")) o.first = 0;
  std::size_t subscripts = 0;
  while (true) {  // its element or member
    const token next = token_at(code, o.last + 1);
    if (next.is("[")) {
      ++subscripts;
      int depth = 0;
      do {
        ++o.last;
        depth += token_at(code, o.last).is("[") ? 1 : token_at(code, o.last).is("]") ? -1 : 0;
      } while (depth > 0 && o.last < code.size());
    } else if (next.is(".") && token_at(code, o.last + 2).is_identifier()) {
      o.last += 2;
    } else if (o.first > 0 && code[o.first - 1].is("(") && next.is(")") && is_group(code, o.first - 1)) {
      --o.first, ++o.last;
    } else {
      break;
    }
  }
  const token before = o.first > 0 ? code[o.first - 1] : token{}, next = token_at(code, o.last + 1);
  if (is_assignment_operator(next) || before.is("++") || before.is("--")) return true;
  if (next.is("(") || next.is("->")) return true;  // a member function, or what an address leads to
  const bool address = (before.is("&") && is_unary(code, o.first - 1)) || subscripts < v.axes;
  if (before.is("sizeof") || (before.is("(") && o.first > 1 && code[o.first - 2].is("sizeof"))) return false;
  if (is_assignment_operator(before) && begins_reference(code, o.first - 1)) return !says_const_before(code, o.first);
  const std::optional<std::size_t> open = bracket_around(code, o.first);
  const bool call = open && code[*open].is("(") && !is_group(code, *open);
  if (call && (address || before.is("(") || before.is(","))) return !only_reads(code, *open, address);
  return address && !says_const_before(code, o.first);
}

bool variable_uses::only_reads(const tokens& code, std::size_t open, bool by_address) const {
  static constexpr std::array<std::string_view, 5> heads = {"if", "while", "switch", "for", "return"};
  static constexpr std::array<std::string_view, 6> loads = {"__ldg", "__ldcg", "__ldca", "__ldcs", "__ldlu", "__ldcv"};
  const token name = open > 0 ? code[open - 1] : token{};
  if (is_among(heads, name.text)) return !by_address || says_const_before(code, open);
  if (is_among(loads, name.text)) return true;
  const auto [first, last] = functions_.equal_range(name.text);
  if (first != last) return std::all_of(first, last, [](const auto& f) { return f.second; });
  if (by_address || !name.is_identifier()) return name.is(">") && !by_address;  // static_cast<int>(...)
  return is_type_word(name.text) || is_device_function(name.text);
}

}  // namespace tessera::kernels
