#include "tessera/kernel/flat/hoist.h"

#include <algorithm>

#include "tessera/base/text.h"
#include "tessera/kernel/barrier/statements.h"
#include "tessera/kernel/barrier/structure.h"
#include "tessera/kernel/flat/inlined_call.h"

namespace tessera::kernels {
namespace {

class call_hoister {
 public:
  call_hoister(const std::string& text, const parsed_kernel& source, const meeting_points& points, std::size_t number)
      : whole_(source), source_(source.parsed), points_(points), edits_(text), number_(number) {}

  std::optional<std::string> run() {
    for (const placed_statement& s : all_statements(source_, whole_.kernel().body))
      if (rewrite(s)) return edits_.apply();
    return std::nullopt;
  }

 private:
  [[nodiscard]] const token& at(std::size_t i) const { return source_.code[i]; }

  /// The part of a statement that stands in no other one.
  [[nodiscard]] token_range own_part(token_range range) const {
    const token& first = at(range.begin);
    if (first.is("{") || first.is("do")) return {range.begin, range.begin};
    if (first.is("if") || first.is("for") || first.is("while") || first.is("switch")) {
      const std::size_t open = at(range.begin + 1).is("constexpr") ? range.begin + 2 : range.begin + 1;
      return {range.begin, std::min(after_parentheses(source_, open, range.end), range.end)};
    }
    return range;
  }

  bool rewrite(const placed_statement& s) {
    const token_range own = own_part(s.range);
    if (!has_call(own)) return false;
    if (at(own.begin).is("auto") && at(own.begin + 1).text.starts_with(result_prefix)) return finish(s);
    const std::size_t call = innermost(own);
    const token& first = at(own.begin);
    if (first.is("for") || first.is("while") || first.is("switch"))
      refuse_cut(source_, call, "threads meet in the head of a loop");
    if (is_split_declaration(own)) return true;
    refuse_order(own, call);
    points_.is_function(at(call).text) ? put_body(s, call) : put_variable(s, call);
    return true;
  }

  [[nodiscard]] bool has_call(token_range range) const {
    for (std::size_t i = range.begin; i < range.end; ++i)
      if (points_.is_call(i)) return true;
    return false;
  }

  /// The first call that has no other among its arguments.
  [[nodiscard]] std::size_t innermost(token_range range) const {
    std::size_t found = range.begin;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (!points_.is_call(i)) continue;
      found = i;
      std::size_t open = i + 1;
      while (open < range.end && !at(open).is("(")) ++open;
      if (open >= range.end || !has_call({open, source_.match[open]})) break;
    }
    return found;
  }

  /// `int a = ..., b = ...;` as two statements.
  bool is_split_declaration(token_range range) {
    const auto declared = read_declaration(source_, range);
    if (!declared || declared->size() < 2) return false;
    for (std::size_t k = 0; k + 1 < declared->size(); ++k)
      edits_.replace(at((*declared)[k].end), cat("; ", next_type((*declared)[k + 1])));
    // Words of the type that belong to one name only stand before it already.
    return true;
  }
  [[nodiscard]] std::string next_type(const declarator& d) const {
    std::string type = d.type;
    std::size_t i = d.name;
    while (i > 0 && (at(i - 1).is("*") || at(i - 1).is("&") || at(i - 1).is("const") || at(i - 1).is("__restrict__")))
      --i;
    const std::string own = source_.text({i, d.name});  // written there
    if (type.ends_with(own)) type.resize(type.size() - own.size());
    return type;
  }

  /// Every thread that reaches the statement must make the call, and nothing of it may come before.
  void refuse_order(token_range range, std::size_t call) const {
    int changes = 0;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const token& t = at(i);
      const bool conditional = t.is("&&") || t.is("||") || t.is("?") || t.is("and") || t.is("or");
      if (i < call && conditional && encloses(i, call))
        refuse_cut(source_, call, "threads meet in a part of an expression that not all of them evaluate");
      if (t.is("++") || t.is("--")) changes += 2;
      if (is_assignment_operator(t)) ++changes;
      if (t.is("[") && !at(i - 1).is_identifier() && !at(i - 1).is("]") && !at(i - 1).is(")"))
        refuse_cut(source_, i, "a lambda");
      if (t.is("{") && i > range.begin && !at(i - 1).is("="))
        refuse_cut(source_, call, "threads meet inside of this statement");
    }
    if (changes > 1) refuse_cut(source_, call, "threads meet in an expression that changes something besides");
    if (at(range.begin).is("return")) refuse_cut(source_, call, "a return with a value");
  }
  /// Whether the operator at `i` stands in brackets that also hold `call`.
  [[nodiscard]] bool encloses(std::size_t i, std::size_t call) const {
    for (std::size_t k = i; k < call; k = std::max(source_.match[k], k) + 1)
      if (at(k).is(")") || at(k).is("]") || at(k).is("}")) return false;
    return true;
  }

  [[nodiscard]] bool is_declaration(token_range range) const { return read_declaration(source_, range).has_value(); }

  void insert(const placed_statement& s, const std::string& before) {
    const bool braces = !is_declaration(s.range) && !(s.in_braces && own_part(s.range).end == s.range.end);
    edits_.insert_before(at(s.range.begin), cat(braces ? "{ " : "", before));
    if (braces) edits_.insert_after(at(s.range.end - 1), " }");
  }
  void replace(token_range range, const std::string& with) {
    for (std::size_t i = range.begin; i < range.end; ++i)
      edits_.replace(at(i), i == range.begin ? with : std::string());
  }
  [[nodiscard]] token_range whole_call(std::size_t call) const {
    std::size_t open = call + 1;
    while (!at(open).is("(")) ++open;
    return {call, source_.match[open] + 1};
  }

  /// The variable that a statement gives the value of a call to, if that is all it does: `v = f(x);`, `float v =
  /// f(x);`.
  [[nodiscard]] std::string_view target_of(token_range statement, token_range call) const {
    const bool whole = call.end + 1 == statement.end && at(call.end).is(";");
    if (!whole || !at(call.begin - 1).is("=") || !at(call.begin - 2).is_identifier()) return {};
    const std::string_view name = at(call.begin - 2).text;
    if (call.begin == statement.begin + 2) return name;
    const auto declared = read_declaration(source_, statement);
    const bool one =
        declared && declared->size() == 1 && !declared->front().is_const && !declared->front().is_reference;
    return one && declared->front().extents.empty() && !source_.holds(call, {name}) ? name : std::string_view();
  }

  void put_body(const placed_statement& s, std::size_t call) {
    const token_range calls = whole_call(call);
    const std::string_view target = target_of(s.range, calls);
    const inlined_call body = inline_call(whole_, call, number_, target);
    const auto declared = read_declaration(source_, s.range);
    if (!target.empty() && body.value == target) {
      insert(s, cat(declared ? cat(declared->front().type, " ", target, "; ") : "", body.before));
      replace(s.range, declared ? " " : ";");
    } else {
      insert(s, body.before);
      replace(calls, body.value);
    }
    const std::size_t begin = whole_.kernel().body.begin;
    const bool first = body.shared.empty() || source_.holds(whole_.kernel().body, {first_shared(body.shared)});
    if (!first) edits_.insert_after(at(begin - 1), cat(" ", body.shared));
  }
  /// The name of the first variable of `shared`: if the kernel has it, the declarations are there.
  [[nodiscard]] static std::string_view first_shared(const std::string& shared) {
    const std::size_t begin = shared.find("__tessera_s_");
    std::size_t end = begin;
    while (end < shared.size() && (std::isalnum(static_cast<unsigned char>(shared[end])) != 0 || shared[end] == '_'))
      ++end;
    return std::string_view(shared).substr(begin, end - begin);
  }

  void put_variable(const placed_statement& s, std::size_t call) {
    const token_range calls = whole_call(call);
    const std::string name = cat(result_prefix, number_);
    insert(s, cat("auto ", name, " = ", source_.text(calls), "; "));
    replace(calls, name);
  }

  /// Gives what other threads see a name, and what is computed by calls.
  bool finish(const placed_statement& s) {
    const std::size_t call = s.range.begin + 3;
    const warp_function* f = find_warp_function(at(call).text);
    const std::vector<token_range> arguments = arguments_of(source_, call + 1);
    if (f == nullptr || arguments.size() < f->least || arguments.size() > f->most)
      refuse_cut(source_, call, "a warp function with other arguments than it takes");
    std::string before;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const token_range a = arguments[k];
      const bool name =
          a.end == a.begin + 1 && at(a.begin).is_identifier() && !source_.macros.contains(at(a.begin).text);
      if (k == f->operand ? name : !source_.holds(a, {"("})) continue;
      const std::string hoisted = cat("__tessera_a", number_, "_", k);
      before += cat("auto ", hoisted, " = ", source_.text(a), "; ");
      replace(a, hoisted);
    }
    if (before.empty()) return false;
    edits_.insert_before(at(s.range.begin), before);
    return true;
  }

  const parsed_kernel& whole_;
  const outline& source_;
  const meeting_points& points_;
  text_edits edits_;
  std::size_t number_;
};

}  // namespace

std::optional<std::string> hoist_call(const std::string& text, const parsed_kernel& source,
                                      const meeting_points& points, std::size_t number) {
  return call_hoister(text, source, points, number).run();
}

}  // namespace tessera::kernels
