#include "tessera/kernel/barrier/names.h"

#include <algorithm>
#include <array>
#include <optional>

#include "tessera/base/text.h"
#include "tessera/kernel/barrier/statements.h"
#include "tessera/kernel/barrier/structure.h"
#include "tessera/kernel/barrier/uses.h"
#include "tessera/kernel/barrier/warp_functions.h"
#include "tessera/kernel/source/macro_calls.h"
#include "tessera/kernel/wrap/prelude.h"

namespace tessera::kernels {

known_names::known_names(const outline& source, const reach& needed) : source_(source) {
  std::set<std::string_view> variables;
  for (std::size_t n = 0; n < source.declarations.size(); ++n) {
    const declaration& d = source.declarations[n];
    if (n != needed.kernel) taken_.insert(d.names.begin(), d.names.end());
    if (!needed.needed[n] || n == needed.kernel) continue;
    if (d.kind == declaration_kind::function || d.kind == declaration_kind::prototype)
      note_function(d);
    else
      note_declaration(d);
    if (d.kind == declaration_kind::other && !source.holds(d.all, {"const", "constexpr", "__constant__", "enum"}))
      variables.insert(d.names.begin(), d.names.end());
  }
  for (std::string_view name : variables) constants_.erase(name);
  note_parameters(source.declarations[needed.kernel]);
  note_body(source.declarations[needed.kernel].body);
  by_reference_.insert("swap");
}

void known_names::note_function(const declaration& d) {
  const tokens parameters = expanded(d.parameters);
  const bool references = std::any_of(parameters.begin(), parameters.end(),
                                      [](const token& t) { return t.is("&") || t.is("&&") || t.is("..."); });
  const token& name = source_.name_of(d);
  const bool member = d.name > d.all.begin && source_.code[d.name - 1].is("::");
  if (source_.holds({d.all.begin, d.name + 1}, {"operator"})) refuse_cut(source_, d.name, "an operator of the user's");
  (references || member ? by_reference_ : by_value_).insert(name.text);
}

/// Local names that hide functions, and references, through which anything may change.
void known_names::note_body(token_range body) {
  const tokens code = expanded(body);
  static constexpr std::array<std::string_view, 8> refused = {"decltype", "operator", "and_eq", "or_eq",
                                                              "xor_eq",   "bitand",   "bitor",  "compl"};
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (is_among(refused, code[i].text)) throw cut_refused{cat("line ", code[i].line, ": `", code[i].text, "`")};
    const token before = i > 0 ? code[i - 1] : token{};
    const bool declared = code[i].is_identifier() && ((before.is_identifier() && !is_statement_word(before)) ||
                                                      before.is("*") || before.is(">") || before.is(","));
    if (declared && !is_type_word(code[i].text)) taken_.insert(code[i].text);
    if (!code[i].is("&") && !code[i].is("&&")) continue;
    const bool type =
        before.is(">") || before.is("*") || taken_types_.contains(before.text) ||
        (before.is_identifier() && !is_parameter(before.text) && of_type(std::string(before.text)) != held::unknown);
    const bool group =
        before.is("(") && i > 1 && (is_type_word(code[i - 2].text) || taken_types_.contains(code[i - 2].text));
    if (type || group) throw cut_refused{cat("line ", code[i].line, ": a reference")};
  }
}

void known_names::note_parameters(const declaration& kernel) {
  std::size_t begin = kernel.parameters.begin;
  for (std::size_t i = begin; i <= kernel.parameters.end && begin < kernel.parameters.end; ++i) {
    const bool last = i == kernel.parameters.end;
    if (!last && !source_.code[i].is(",")) {
      i = std::max(source_.match[i], i);
      continue;
    }
    std::size_t name = i;
    while (name > begin && !source_.code[name - 1].is_identifier()) --name;
    if (name > begin) {
      const std::string_view text = source_.code[--name].text;
      in_order_.push_back(text);
      parameters_.insert(text);
      const std::string type = source_.text({begin, name}) + (source_.holds({name, i}, {"["}) ? "*" : "");
      if (of_type(type) == held::pointer) pointers_.insert(text);
      if (of_type(type) == held::number) numbers_.insert(text);
    }
    begin = i + 1;
  }
}

void known_names::note_declaration(const declaration& d) {
  const token_range all = d.all;
  const token& first = source_.code[all.begin];
  const bool type = d.kind == declaration_kind::type || first.is("typedef") || first.is("using");
  if (type) taken_types_.insert(d.names.begin(), d.names.end());
  if (first.is("using") && all.begin + 1 < all.end) taken_types_.insert(source_.code[all.begin + 1].text);
  if (type && source_.holds(all, {"&", "&&", "operator", "this"}))
    refuse_cut(source_, all.begin, "a type with references or operators");
  if (first.is("typedef") || first.is("using")) {
    bool numbers = true;
    for (std::size_t i = all.begin + 1; i + 1 < all.end; ++i) {
      const token& t = source_.code[i];
      const bool name = is_among(d.names, t.text);
      const bool alias = first.is("using") && (i == all.begin + 1 || t.is("="));
      numbers = numbers && (name || alias || is_number_word(t.text));
    }
    if (numbers && first.is("using")) number_types_.insert(source_.code[all.begin + 1].text);
    if (numbers && first.is("typedef")) number_types_.insert(d.names.begin(), d.names.end());
    return;
  }
  std::size_t end = all.begin;
  while (end < all.end && !source_.code[end].is("{") && !source_.code[end].is("=") && !source_.code[end].is("*")) ++end;
  const bool variable = d.kind == declaration_kind::other;
  const bool constant =
      first.is("enum") || (variable && source_.holds({all.begin, end}, {"const", "constexpr", "__constant__"}));
  if (constant && !source_.holds(all, {"&"}) && !(end < all.end && source_.code[end].is("*")))
    constants_.insert(d.names.begin(), d.names.end());
}

bool known_names::is_number_word(std::string_view word) const {
  static constexpr std::array<std::string_view, 14> standard = {
      "size_t",   "ptrdiff_t", "int8_t",   "uint8_t", "int16_t", "uint16_t", "int32_t",
      "uint32_t", "int64_t",   "uint64_t", "uint",    "uchar",   "ushort",   "ulong"};
  const bool tag = word == "struct" || word == "typename";
  return (is_type_word(word) && !tag) || word == "enum" || is_among(standard, word) || number_types_.contains(word);
}

held known_names::of_type(const std::string& type) const {
  static constexpr std::array<std::string_view, 13> vectors = {"char",  "uchar",  "short", "ushort",   "int",
                                                               "uint",  "long",   "ulong", "longlong", "ulonglong",
                                                               "float", "double", "dim"};
  const token_list list = tokenise(type, "");
  tokens words;
  for (const token& t : list.tokens) {
    const auto found = source_.macros.find(t.text);
    if (found == source_.macros.end())
      words.push_back(t);
    else
      words.insert(words.end(), found->second.body.begin(), found->second.body.end());
  }
  held result = held::number;
  for (const token& t : words) {
    if (t.is("*")) return held::pointer;
    if (t.is("__restrict__") || t.is("__restrict") || t.is("enum") || is_number_word(t.text)) continue;
    const bool vector = t.text.size() > 1 && t.text.back() >= '1' && t.text.back() <= '4' &&
                        is_among(vectors, t.text.substr(0, t.text.size() - 1));
    if (result == held::unknown || words.front().is("enum")) continue;
    result = vector ? held::vector : held::unknown;
  }
  return result;
}

held known_names::parameter(std::string_view name) const {
  return pointers_.contains(name) ? held::pointer : numbers_.contains(name) ? held::number : held::unknown;
}

tokens known_names::expanded(token_range range) const {
  std::optional<tokens> code = expand_calls(source_, range);
  if (!code) throw cut_refused{cat("line ", source_.code[range.begin].line, ": a macro")};
  return *std::move(code);
}

bool known_names::mentions(token_range range, std::string_view name) const {
  const tokens code = expanded(range);
  return std::any_of(code.begin(), code.end(), [&](const token& t) { return t.is(name); });
}

bool known_names::may_change(token_range range, std::string_view name, held content) const {
  const tokens code = expanded(range);
  for (std::size_t i = 0; i < code.size(); ++i)
    if (code[i].is(name) && !is_other_name(code, i) && !is_read(code, i, content)) return true;
  return false;
}

/// Whether the use at `i` does nothing but read.
bool known_names::is_read(const tokens& code, std::size_t i, held content) const {
  const operand_range o = operand_range_at(code, i);
  const token before = o.first > 0 ? code[o.first - 1] : token{}, next = token_at(code, o.last + 1);
  if (is_assignment_operator(next) || before.is("++") || before.is("--")) return false;
  if (next.is("[") || next.is("->")) return content == held::pointer && o.last == i;  // of what it points to
  if (next.is("(") || next.is("{") || next.is(".")) return false;
  if (content == held::unknown && o.last == i) return false;  // its operators may do anything
  if (before.is("&")) return !is_unary(code, o.first - 1);
  if (next.is("&") || next.is("?") || makes_value(next) || makes_value(before)) return true;
  if (is_assignment_operator(before)) return !begins_reference(code, o.first - 1);
  if (before.is(")")) return o.first < 2 || !(code[o.first - 2].is("&") || code[o.first - 2].is("&&"));  // a cast
  if (before.is(";") || before.is("}") || before.text.empty() || is_statement_word(before)) return true;
  const bool within =
      before.is("?") || before.is(":") || before.is(",") || before.is("(") || before.is("[") || before.is("{");
  return within && is_read_among(code, o.first, o.last);
}

/// `is_read` for one of several: arguments, branches of `?`, elements of a list.
bool known_names::is_read_among(const tokens& code, std::size_t first, std::size_t last) const {
  const std::optional<std::size_t> open = bracket_around(code, first);
  if (!open) return !within_reference(code, first);
  const token before = *open > 0 ? code[*open - 1] : token{};
  if (code[*open].is("[")) return is_operand_end(before) || before.is(")");
  if (code[*open].is("{")) {
    if (before.is("=")) return *open > 1 && code[*open - 2].is("]");  // elements of an array
    const bool block = before.is(")") || before.is(";") || before.is("{") || before.is("}") || before.text.empty() ||
                       before.is("else") || before.is("do");
    return block && !within_reference(code, first);
  }
  if (!is_group(code, *open)) return takes_values(code, *open);
  std::size_t close = last;
  for (int depth = 1; close < code.size(); ++close) {
    depth += code[close].is("(") ? 1 : code[close].is(")") ? -1 : 0;
    if (depth == 0) break;
  }
  if (is_assignment_operator(before)) return !begins_reference(code, *open - 1);
  return makes_value(before) || makes_value(token_at(code, close + 1)) || token_at(code, close + 1).is("?");
}

/// Whether the call, cast or head of a statement at `open` takes what it is given by value.
bool known_names::takes_values(const tokens& code, std::size_t open) const {
  const token& name = code[open - 1];
  if (name.is("if") || name.is("while") || name.is("switch") || name.is("for") || name.is("sizeof")) return true;
  if (name.is(">")) {
    std::size_t i = open - 1;
    while (i > 0 && !code[i].is("<") && !code[i].is("&") && !code[i].is("&&")) --i;
    return i > 0 && code[i].is("<") && code[i - 1].is("static_cast");
  }
  if (name.is(")")) {  // `(int)(a)`
    std::size_t i = open - 1;
    while (i > 0 && is_number_word(code[i - 1].text)) --i;
    return i > 0 && i < open - 1 && code[i - 1].is("(");
  }
  if (!name.is_identifier()) return false;
  const token before = open > 1 ? code[open - 2] : token{};
  const bool standard = before.is("::") && open > 2 && code[open - 3].is("std");
  const bool declares = before.is_identifier() && !is_statement_word(before);
  if (by_reference_.contains(name.text) || declares || before.is(".") || before.is("->")) return false;
  if (before.is("::") && !standard) return false;
  if (open > 1 && before.is("&") && is_unary(code, open - 2)) return false;
  if (is_type_word(name.text) || by_value_.contains(name.text) || meets_warp(name.text)) return true;
  return is_device_function(name.text) && is_free(name.text);
}

/// Functions of CUDA that write to an address and do not keep it.
bool known_names::forgets_addresses(std::string_view name) const {
  static constexpr std::array<std::string_view, 7> functions = {"sincos", "sincosf", "frexp",    "frexpf",
                                                                "modf",   "modff",   "sincospif"};
  return (is_among(functions, name) || name.starts_with("atomic")) && is_free(name);
}

bool known_names::may_take_address(token_range range, std::string_view name, std::size_t axes) const {
  const tokens code = expanded(range);
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!code[i].is(name) || is_other_name(code, i)) continue;
    const operand_range o = operand_range_at(code, i);
    std::size_t subscripts = 0;
    int depth = 0;
    std::size_t end = o.last + 1;
    for (; end < code.size() && (depth > 0 || code[end].is("[")); ++end) {
      if (depth == 0) ++subscripts;
      depth += code[end].is("[") ? 1 : code[end].is("]") ? -1 : 0;
    }
    const token before = o.first > 0 ? code[o.first - 1] : token{}, next = token_at(code, end);
    const bool element = axes == 0 && subscripts > 0;  // `&p[1]` is no address of p
    const bool address = before.is("&") && is_unary(code, o.first - 1) && !element;
    const std::optional<std::size_t> open = bracket_around(code, o.first);
    const bool call = open && code[*open].is("(") && !is_group(code, *open);
    const bool forgets = call && forgets_addresses(code[*open - 1].text);
    if ((address || subscripts < axes) && !forgets) return true;
    const bool alone = (before.is("(") || before.is(",")) && (next.is(")") || next.is(","));
    if (alone && call && !takes_values(code, *open)) return true;
  }
  return false;
}

}  // namespace tessera::kernels
