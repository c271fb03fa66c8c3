#include "tessera/kernel/flat/loop_forms.h"

#include <algorithm>
#include <array>

#include "tessera/base/text.h"
#include "tessera/kernel/barrier/statements.h"
#include "tessera/kernel/barrier/structure.h"
#include "tessera/kernel/barrier/uses.h"
#include "tessera/kernel/flat/variables.h"

namespace tessera::kernels {
namespace {

/// `for (begin; condition; step) body`, as positions.
struct for_loop {
  token_range whole, begin, condition, step, body;
};
std::optional<for_loop> read_for(const outline& source, token_range range) {
  if (!source.code[range.begin].is("for")) return std::nullopt;
  const std::size_t inside = after_parentheses(source, range.begin + 1, range.end);
  if (inside >= range.end) return std::nullopt;
  std::vector<std::size_t> ends;
  for (std::size_t i = range.begin + 2; i + 1 < inside; i = std::max(source.match[i], i) + 1)
    if (source.code[i].is(";")) ends.push_back(i);
  if (ends.size() != 2) return std::nullopt;
  return for_loop{
      range, {range.begin + 2, ends[0]}, {ends[0] + 1, ends[1]}, {ends[1] + 1, inside - 1}, {inside, range.end}};
}

bool is_use(const outline& source, std::size_t i, std::string_view name) {
  return source.code[i].is(name) && !source.code[i - 1].is(".") && !source.code[i - 1].is("->");
}

bool takes_address(const outline& source, token_range range, std::string_view name) {
  for (std::size_t i = range.begin; i < range.end; ++i)
    if (is_use(source, i, name) && source.code[i - 1].is("&") && is_unary(source.code, i - 1)) return true;
  return false;
}

bool declares(const outline& source, token_range range, std::string_view name) {
  const std::vector<local_variable> all = local_variables(source, range);
  return std::any_of(all.begin(), all.end(), [&](const local_variable& v) { return v.name == name; });
}

/// Whether nothing reads what `name` holds when `statement` has ended.
bool is_unused_after(const outline& source, token_range body, token_range statement, std::string_view name) {
  for (std::size_t i = statement.end; i < body.end; ++i)
    if (source.code[i].is(name)) return false;
  for (const placed_statement& s : all_statements(source, body)) {
    const token& first = source.code[s.range.begin];
    const bool loop = first.is("for") || first.is("while") || first.is("do");
    const bool around = s.range.begin < statement.begin && statement.end <= s.range.end;
    if (loop && around) return false;
  }
  return true;
}

bool is_changed(const outline& source, token_range range, std::string_view name) {
  for (std::size_t i = range.begin; i < range.end; ++i) {
    if (!is_use(source, i, name)) continue;
    const token& before = source.code[i - 1];
    if (is_assignment_operator(source.code[i + 1]) || before.is("++") || before.is("--")) return true;
    if (before.is("&") && is_unary(source.code, i - 1)) return true;
  }
  return false;
}

/// Whether `range` is a variable that is declared once, begins as what `reads` takes, and never changes.
template <class Reads>
bool holds_always(const outline& source, token_range body, token_range range, Reads reads) {
  if (range.end != range.begin + 1 || !source.code[range.begin].is_identifier()) return false;
  const std::string_view name = source.code[range.begin].text;
  int declarations = 0;
  bool index = false;
  for (const placed_statement& s : all_statements(source, body))
    for (const declarator& d : read_declaration(source, s.range).value_or(std::vector<declarator>())) {
      if (!source.code[d.name].is(name)) continue;
      ++declarations;
      index = reads(d.initial) && d.extents.empty() && !d.is_reference;
    }
  int changes = 0;
  for (std::size_t i = body.begin; i < body.end; ++i)
    if (is_use(source, i, name) && is_assignment_operator(source.code[i + 1])) ++changes;
  return index && declarations == 1 && changes == 1;
}

/// `threadIdx.x`, or a variable that holds it as long as it lives.
bool is_index(const outline& source, token_range body, token_range range) {
  const auto reads = [&](token_range r) { return r.end == r.begin + 3 && source.code[r.begin].is("threadIdx"); };
  return reads(range) || holds_always(source, body, range, reads);
}

/// `threadIdx.x % 32`, or a variable that holds it as long as it lives.
bool is_lane(const outline& source, token_range body, token_range range) {
  const auto reads = [&](token_range r) {
    const auto index = read_index(source, r);
    return index && index->axis == 0 && index->remainder;
  };
  return reads(range) || holds_always(source, body, range, reads);
}

/// Whether `range` is a comparison of a thread's index with something.
bool is_index_bound(const outline& source, token_range body, token_range range) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{3}}) {
    if (range.begin + n + 1 >= range.end) continue;
    const token& by = source.code[range.begin + n];
    const bool relation = by.is("<") || by.is("<=") || by.is(">") || by.is(">=") || by.is("==");
    if (relation && is_index(source, body, {range.begin, range.begin + n})) return true;
  }
  return false;
}

/// A type that holds all indices of threads, and whose sums are sums of its own type.
bool is_counter_type(const std::string& type) {
  static constexpr std::array<std::string_view, 5> words = {"int", "unsigned", "long", "size_t", "int64_t"};
  for (const token& t : tokenise(type, "").tokens)
    if (!is_among(words, t.text)) return false;
  return true;
}

/// Names, numbers and operators: nothing is called or read from memory.
bool is_plain_number(const outline& source, token_range range) {
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const token& t = source.code[i];
    const bool call = t.is("(") && source.code[i - 1].is_identifier();
    if (call || t.is("[") || t.is("{") || t.is("threadIdx") || t.is("?") || t.is(",") || is_assignment_operator(t))
      return false;
    static constexpr std::array<std::string_view, 11> others = {
        "&&", "||", "->", "<", ">", "<=", ">=", "==", "!=", "|", "^"};
    if (is_among(others, t.text) || t.is("&")) return false;  // they bind less than a comparison, or read memory
  }
  return !range.empty();
}

}  // namespace

std::optional<std::string> give_counter(const std::string& text, const parsed_kernel& source,
                                        const meeting_points& points, std::size_t number) {
  const outline& code = source.parsed;
  for (const placed_statement& s : all_statements(code, source.kernel().body)) {
    const std::optional<for_loop> loop = read_for(code, s.range);
    if (!loop || !points.inside(s.range)) continue;
    const auto begins = read_assignment(code, loop->begin);
    if (!begins || begins->value.empty() || !code.code[begins->name + 1].is("=")) continue;
    const std::string_view name = code.code[begins->name].text;
    if (name.starts_with("__tessera_c")) continue;
    const std::optional<std::string> type = type_of_variable(code, source.kernel(), name);
    if (!type || takes_address(code, source.kernel().body, name) || declares(code, s.range, name)) continue;
    if (code.holds(loop->begin, {","})) continue;
    const std::string counter = cat("__tessera_c", number, "_", name);
    text_edits edits(text);
    for (std::size_t i = loop->condition.begin; i < s.range.end; ++i)
      if (is_use(code, i, name)) edits.replace(code.code[i], counter);
    if (is_unused_after(code, source.kernel().body, s.range, name)) {
      edits.replace(code.code[begins->name], cat(*type, " ", counter));
      return edits.apply();
    }
    edits.insert_before(code.code[s.range.begin],
                        cat("{ ", *type, " ", counter, " = ", code.text(begins->value), "; "));
    for (std::size_t i = loop->begin.begin; i < loop->begin.end; ++i) edits.replace(code.code[i], "");
    edits.insert_after(code.code[s.range.end - 1], cat(" ", name, " = ", counter, "; }"));
    return edits.apply();
  }
  return std::nullopt;
}

std::optional<std::string> split_condition(const std::string& text, const parsed_kernel& source) {
  const outline& code = source.parsed;
  const token_range body = source.kernel().body;
  for (const placed_statement& s : all_statements(code, body)) {
    if (!code.code[s.range.begin].is("if")) continue;
    const std::size_t then = after_parentheses(code, s.range.begin + 1, s.range.end);
    if (then >= s.range.end || statement_end(code, then, s.range.end) < s.range.end) continue;
    std::vector<std::size_t> both;
    for (std::size_t i = s.range.begin + 2; i + 1 < then; i = std::max(code.match[i], i) + 1) {
      if (code.code[i].is("&&")) both.push_back(i);
      if (code.code[i].is("||") || code.code[i].is("?") || code.code[i].is(",")) both.clear(), i = then;
    }
    if (both.empty() || code.holds(s.range, {"return", "break", "continue"})) continue;
    if (!is_index_bound(code, body, {s.range.begin + 2, both.front()})) continue;
    text_edits edits(text);
    edits.replace(code.code[both.front()], ") if (");
    return edits.apply();
  }
  return std::nullopt;
}

std::optional<std::string> turn_loop(const std::string& text, const parsed_kernel& source, const meeting_points& points,
                                     std::size_t number) {
  const outline& code = source.parsed;
  const token_range body = source.kernel().body;
  for (const placed_statement& s : all_statements(code, body)) {
    const std::optional<for_loop> loop = read_for(code, s.range);
    if (!loop || points.inside(s.range) || loop->begin.empty()) continue;
    const auto declared = read_declaration(code, {loop->begin.begin, loop->begin.end + 1});
    if (!declared || declared->size() != 1) continue;
    const declarator& d = declared->front();
    const std::string_view name = code.code[d.name].text;
    const auto step = read_assignment(code, loop->step);
    const token_range test = loop->condition;
    const bool counts = step && code.code[step->name].is(name) && code.code[step->name + 1].is("+=") &&
                        is_plain_number(code, step->value);
    const bool bounded = test.end > test.begin + 2 && code.code[test.begin].is(name) &&
                         code.code[test.begin + 1].is("<") && is_plain_number(code, {test.begin + 2, test.end});
    const bool lanes = step && step->value.end == step->value.begin + 1 && is_lane(code, body, d.initial) &&
                       (code.code[step->value.begin].is("32") || code.code[step->value.begin].is("warpSize"));
    if (!counts || !bounded || !is_counter_type(d.type) || !(lanes || is_index(code, body, d.initial))) continue;
    if (is_changed(code, loop->body, name) || code.holds(loop->body, {"return", "break", "continue"})) continue;
    const std::string base = cat(turned_prefix, number), limit = cat("(", code.text({test.begin + 2, test.end}), ")");
    const std::string index = code.text(d.initial);
    text_edits edits(text);
    for (std::size_t i = s.range.begin; i < loop->body.begin; ++i) edits.replace(code.code[i], "");
    const std::string head =
        cat("for (", d.type, " ", base, " = 0; ", base, " < ", limit, "; ", base, " += ", code.text(step->value), ") ");
    const std::string counter = cat(d.type, " ", name, " = (", d.type, ")(", index, ") + ", base, "; ");
    // A test of lanes stays in the loop over threads. It looks at the counter, which is then computed for all lanes:
    // the compiler finds neighbouring elements. Like the loop as it was, that may go beyond the limit by less than a
    // step.
    const std::string guarded = lanes ? cat("{ ", counter, "if (", name, " < ", limit, ") ")
                                      : cat("if (", index, " < ", limit, " - ", base, ") { ", counter);
    edits.insert_before(code.code[s.range.begin], head + guarded);
    edits.insert_after(code.code[s.range.end - 1], " }");
    return edits.apply();
  }
  return std::nullopt;
}

}  // namespace tessera::kernels
