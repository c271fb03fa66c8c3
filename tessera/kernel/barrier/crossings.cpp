#include "tessera/kernel/barrier/crossings.h"

#include <algorithm>

#include "tessera/base/text.h"
#include "tessera/kernel/analysis/shared_atomics.h"
#include "tessera/kernel/barrier/bounds.h"
#include "tessera/kernel/barrier/statements.h"
#include "tessera/kernel/flat/variables.h"

namespace tessera::kernels {
namespace {

/// How often a name is declared among some statements.
std::size_t declarations_of(const outline& source, token_range statements, std::string_view name) {
  const std::vector<local_variable> all = local_variables(source, statements);
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [&](const local_variable& v) { return v.name == name; }));
}

/// Whether each mention of a name stands in the text itself, none in a macro.
bool is_written_out(const outline& source, token_range range, std::string_view name) {
  const auto is_name = [&](const token& t) { return t.is(name); };
  const std::vector<token> all = expand_macros(source, range);
  const auto begin = source.code.begin();
  return std::count_if(all.begin(), all.end(), is_name) ==
         std::count_if(begin + static_cast<std::ptrdiff_t>(range.begin), begin + static_cast<std::ptrdiff_t>(range.end),
                       is_name);
}

}  // namespace

crossing_finder::crossing_finder(const outline& source, const declaration& kernel, const known_names& names,
                                 split_structure& structure, variable_roles& roles)
    : source_(source), body_(kernel.body), names_(names), structure_(structure), roles_(roles) {
  if (!source.holds(body_, {"^"})) return;
  for (const auto& [name, axes] : find_shared_variables(source, kernel))
    if (axes == 1 && is_plain_array(name)) arrays_.push_back(name);
}

/// Of numbers, of a size that is known, and reached by subscripts alone. Kernels that declare references are not cut.
bool crossing_finder::is_plain_array(std::string_view name) const {
  std::size_t at = body_.begin;
  while (at < body_.end && !source_.code[at].is(name)) ++at;  // its declaration
  std::size_t begin = at;
  const auto is_begin = [&](const token& t) { return t.is(";") || t.is("{") || t.is("}"); };
  while (begin > body_.begin && !is_begin(source_.code[begin - 1])) --begin;
  if (!source_.code[at + 1].is("[") || source_.code[at + 2].is("]")) return false;
  for (std::size_t i = begin; i < at && !source_.code[i + 1].is("["); ++i) {
    const token& t = source_.code[i];
    const bool storage = t.is("__shared__") || t.is("static");
    if (!storage && (!is_type_word(t.text) || t.is("volatile") || t.is("const"))) return false;
  }
  return is_written_out(source_, body_, name) && !names_.may_take_address(body_, name, 1);
}

std::vector<crossing> crossing_finder::find(token_range statements) {
  std::vector<crossing> found;
  if (arrays_.empty() || source_.holds(statements, {"for", "while", "do", "goto"})) return found;
  for (const std::string_view array : arrays_) {
    std::size_t changed = statements.end, last = statements.end;  // from where on; where it is mentioned last
    for (std::size_t i = statements.begin; i < statements.end; ++i)
      if (source_.code[i].is(array)) last = i;
    for (std::size_t i = statements.begin; i < statements.end; ++i) {
      if (!source_.code[i].is(array) || !source_.code[i + 1].is("[")) continue;
      const std::size_t close = source_.match[i + 1];
      const token& before = source_.code[i - 1];
      const token& next = source_.code[close + 1];
      const bool steps = before.is("++") || before.is("--");
      const bool changes = steps || is_assignment_operator(next);
      const std::string distance = distance_of({i + 2, close}, statements);
      const bool statement = before.is(";") || before.is("{") || before.is("}") || before.is(")") || before.is("else");
      const bool written = next.is("=") && statement && i == last;
      if (!distance.empty() && (changes ? written : i < changed))
        found.push_back({{i, close + 1}, std::string(array), distance, changes});
      if (changes) changed = std::min(changed, steps ? i : end_of_change(close + 1));
    }
  }
  return found;
}

/// Where the expression ends whose assignment stands at `position`: what is read before, is read before the change.
std::size_t crossing_finder::end_of_change(std::size_t position) const {
  std::size_t i = position;
  const auto ends = [&](const token& t) { return t.is(";") || t.is(",") || t.is(")") || t.is("}") || t.is(":"); };
  while (i < body_.end && !ends(source_.code[i])) i = std::max(source_.match[i], i) + 1;
  return i;
}

/// The `j` of `t ^ j`, or of a variable of the same stretch that is that; empty if it is anything else.
std::string crossing_finder::distance_of(token_range subscript, token_range statements) {
  if (subscript.end != subscript.begin + 1) return distance_in(subscript, statements);
  const std::string_view name = source_.code[subscript.begin].text;
  const block_variable* v = structure_.find(name, subscript.begin);
  if (v == nullptr || v->declared.name < statements.begin || v->declared.name >= statements.end) return {};
  const declarator& d = v->declared;
  const bool plain = d.extents.empty() && !d.is_reference && holds_index(d.type) && !source_.macros.contains(name);
  if (!plain || declarations_of(source_, statements, name) != 1) return {};
  if (names_.may_change(v->scope, name, held::number)) return {};
  const std::string distance = distance_in(d.initial, statements);
  const bool typed = !distance.empty() && d.type.find("auto") == std::string::npos;
  return typed ? cat("(", d.type, ")(", distance, ")") : distance;  // as much of it as the variable holds
}

std::string crossing_finder::distance_in(token_range sum, token_range statements) {
  std::size_t at = sum.begin;
  while (at < sum.end && !source_.code[at].is("^")) ++at;
  if (at >= sum.end) return {};
  const token_range left{sum.begin, at}, right{at + 1, sum.end};
  if (is_index(left, statements) && is_distance(right, statements)) return source_.text(right);
  if (is_index(right, statements) && is_distance(left, statements)) return source_.text(left);
  return {};
}

/// `threadIdx.x`, or a variable that holds it.
bool crossing_finder::is_index(token_range range, token_range statements) {
  const auto is_x = [&](token_range r) {
    const auto index = read_index(source_, r);
    return index && index->axis == 0 && index->divisor.empty();
  };
  if (range.end != range.begin + 1) return is_x(range);
  const std::string_view name = source_.code[range.begin].text;
  const block_variable* v = structure_.find(name, range.begin);
  if (v == nullptr || !roles_.is_indexed(structure_.index_of(*v)) || source_.macros.contains(name)) return false;
  const bool here = statements.begin <= v->declared.name && v->declared.name < statements.end;
  const bool hidden = declarations_of(source_, statements, name) != (here ? 1U : 0U);
  return !hidden && holds_index(v->declared.type) && is_x(v->declared.initial);
}

/// A number that can be computed before the stretch, whatever its value: `j`, `64`, `j / 2`, `j >> 1`.
bool crossing_finder::is_distance(token_range range, token_range statements) {
  const std::size_t count = range.end - range.begin;
  if (count != 1 && count != 3) return false;
  const token& first = source_.code[range.begin];
  const bool name = first.is_identifier() && !source_.macros.contains(first.text) && !is_type_word(first.text);
  if (!name && first.kind != token_kind::number) return false;
  if (count == 3) {
    const token& by = source_.code[range.begin + 1];
    const token& number = source_.code[range.begin + 2];
    const bool small = number.kind == token_kind::number && number.text.size() < 3 && !number.text.starts_with("0");
    if (!small || !(by.is("/") || (by.is(">>") && number.text.size() == 1))) return false;
  }
  return declarations_of(source_, statements, first.text) == 0 && roles_.is_same_for_block(range);
}

crossing_text write_crossings(const outline& source, const std::vector<crossing>& crossings, std::size_t number,
                              text_edits& edits) {
  crossing_text text;
  for (std::size_t k = 0; k < crossings.size(); ++k) {
    const crossing& c = crossings[k];
    const auto is_same = [&](const crossing& other) {
      return !other.is_written && other.array == c.array && other.distance == c.distance;
    };
    const auto first = c.is_written ? crossings.begin() + static_cast<std::ptrdiff_t>(k)
                                    : std::find_if(crossings.begin(), crossings.end(), is_same);
    const auto own = static_cast<std::size_t>(first - crossings.begin());
    const std::string values = cat("__tessera_c", number, "_", own), marks = cat("__tessera_d", number, "_", own);
    if (own == k)
      text.before += cat(" __tessera::element_of<decltype(", c.array, ")> ", values, "[__tessera_threads];");
    if (own == k && !c.is_written)
      text.before += cat(" __tessera::read_across(", values, ", ", c.array, ", ", c.distance, ");");
    if (c.is_written) {
      text.before += cat(" __tessera::mark_of<decltype(", c.array, ")> ", marks, "[__tessera_threads] = {};");
      text.behind += cat(" __tessera::write_across(", c.array, ", ", values, ", ", marks, ", ", c.distance, ");");
    }
    const std::string element = cat(values, "[__tessera_t]");
    for (std::size_t i = c.element.begin; i < c.element.end; ++i) edits.replace(source.code[i], "");
    edits.insert_before(source.code[c.element.begin],
                        c.is_written ? cat("(", marks, "[__tessera_t] = 1, ", element, ")") : element);
  }
  return text;
}

}  // namespace tessera::kernels
