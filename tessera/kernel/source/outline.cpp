#include "tessera/kernel/source/outline.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace tessera::kernels {
namespace {

constexpr std::array<std::string_view, 9> call_like_attributes = {"__launch_bounds__", "__align__",    "__attribute__",
                                                                  "__attribute",       "alignas",      "decltype",
                                                                  "noexcept",          "__declspec__", "throw"};

bool is_attribute(const token& t) {
  return std::find(call_like_attributes.begin(), call_like_attributes.end(), t.text) != call_like_attributes.end();
}

bool is_tag(const token& t) { return t.is("struct") || t.is("class") || t.is("union") || t.is("enum"); }

// How far back a closer looks for its opener over unclosed ones of other kinds.
constexpr std::size_t deepest_repair = 64;

std::vector<std::size_t> match_brackets(const std::vector<token>& code) {
  std::vector<std::size_t> match(code.size());
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < code.size(); ++i) {
    match[i] = i;
    if (code[i].kind != token_kind::punctuation || code[i].text.size() != 1) continue;
    const char c = code[i].text[0];
    if (c == '(' || c == '[' || c == '{') open.push_back(i);
    const char opener = c == ')' ? '(' : c == ']' ? '[' : c == '}' ? '{' : '\0';
    if (opener == '\0') continue;
    // A stray closer is skipped; an unclosed opener inside a closed pair is dropped.
    const auto last = open.rbegin() + static_cast<std::ptrdiff_t>(std::min(open.size(), deepest_repair));
    auto found = std::find_if(open.rbegin(), last, [&](std::size_t at) { return code[at].text[0] == opener; });
    if (found == last) continue;
    match[*found] = i;
    match[i] = *found;
    open.erase(std::prev(found.base()), open.end());
  }
  return match;
}

class outliner {
 public:
  explicit outliner(outline& out) : out_(out) {}

  void run() { scope({0, out_.code.size()}, "", 0); }

 private:
  static constexpr int deepest_namespace = 64;

  [[nodiscard]] const token& at(std::size_t i) const { return out_.code[i]; }
  [[nodiscard]] std::size_t after_bracket(std::size_t i) const { return std::max(out_.match[i], i) + 1; }

  void scope(token_range range, const std::string& path, int depth) {
    std::size_t i = range.begin;
    while (i < range.end) {
      if (at(i).is(";") || at(i).is("}")) {
        ++i;
      } else if (const auto inner = nested_scope(i, range.end); inner && depth < deepest_namespace) {
        scope(inner->body, path + inner->path, depth + 1);
        i = inner->body.end + 1;
      } else {
        i = one_declaration(i, range.end, path);
      }
    }
  }

  struct nested {
    token_range body;
    std::string path;
  };

  // `namespace a::b {`, `inline namespace {` or `extern "C" {` at i.
  [[nodiscard]] std::optional<nested> nested_scope(std::size_t i, std::size_t end) const {
    if (at(i).is("inline") && i + 1 < end && at(i + 1).is("namespace")) ++i;
    const bool linkage = at(i).is("extern") && i + 1 < end && at(i + 1).kind == token_kind::literal;
    if (!linkage && !at(i).is("namespace")) return std::nullopt;
    std::string path;
    for (std::size_t j = i + (linkage ? 2U : 1U); j < end; ++j) {
      if (at(j).is("{")) {
        if (out_.match[j] == j) return std::nullopt;
        return nested{{j + 1, out_.match[j]}, path};
      }
      if (linkage || (!at(j).is_identifier() && !at(j).is("::"))) return std::nullopt;
      if (at(j).is_identifier()) path += std::string(at(j).text) + "::";
    }
    return std::nullopt;
  }

  [[nodiscard]] std::size_t after_template_list(std::size_t i, std::size_t end) const {
    int depth = 0;
    for (; i < end; ++i) {
      const std::string_view t = at(i).text;
      if (t == "(" || t == "[" || t == "{") {
        i = after_bracket(i) - 1;
        continue;
      }
      if (t == "<") ++depth;
      if (t == ">") --depth;
      if (t == ">>") depth -= 2;
      if (t == ";") return i;
      if (depth <= 0) return i + 1;
    }
    return end;
  }

  struct progress {
    bool saw_tag = false;
    bool saw_equals = false;
    bool parameters_fixed = false;
    std::size_t tag_name = 0;
  };

  std::size_t one_declaration(std::size_t begin, std::size_t end, const std::string& path) {
    declaration d;
    d.scope = path;
    d.all = {begin, end};
    d.name = end;
    progress p;
    p.tag_name = end;
    std::size_t i = begin;
    while (i < end) {
      const token& t = at(i);
      if (t.is(";")) return finish(d, p, i + 1);
      if (t.is("template") && i + 1 < end && at(i + 1).is("<")) {
        d.is_template = true;
        i = after_template_list(i + 1, end);
        continue;
      }
      if (t.is("(")) note_parentheses(d, p, i);
      if (t.is("{")) {
        const bool is_function = d.name != d.all.end && !p.saw_equals;
        if (is_function || (p.saw_tag && d.body.empty())) d.body = {i + 1, std::max(out_.match[i], i + 1)};
        if (is_function) {
          d.kind = declaration_kind::function;
          return finish(d, p, after_bracket(i));
        }
      }
      note_word(p, d, i);
      i = t.is("(") || t.is("[") || t.is("{") ? after_bracket(i) : i + 1;
    }
    return finish(d, p, end);
  }

  void note_word(progress& p, const declaration& d, std::size_t i) const {
    const token& t = at(i);
    if (t.is("=")) p.saw_equals = p.saw_equals || i == 0 || !at(i - 1).is("operator");
    if (t.is(":") || t.is("->") || t.is("noexcept")) p.parameters_fixed = d.name != d.all.end;
    if (is_tag(t) && d.name == d.all.end) p.saw_tag = true;
    if (p.saw_tag && p.tag_name == d.all.end && t.is_identifier() && !is_tag(t) && !is_attribute(t)) p.tag_name = i;
  }

  // The last parenthesis behind a name, before a body or initialiser, holds the parameters: earlier ones belong to
  // macros and attributes.
  void note_parentheses(declaration& d, const progress& p, std::size_t open) const {
    if (open == d.all.begin || p.saw_equals || p.parameters_fixed) return;
    const token& before = at(open - 1);
    const bool is_operator = open >= 2 && d.all.begin + 2 <= open && at(open - 2).is("operator");
    if ((!before.is_identifier() && !is_operator) || is_attribute(before)) return;
    d.name = open - 1;
    d.parameters = {open + 1, std::max(out_.match[open], open + 1)};
  }

  std::size_t finish(declaration& d, const progress& p, std::size_t next) {
    d.all.end = std::max(next, d.all.begin + 1);
    const std::size_t none = d.all.end;
    if (d.kind != declaration_kind::function) {
      const bool plain = d.name < none && !p.saw_equals;
      d.kind = plain                            ? declaration_kind::prototype
               : p.saw_tag && p.tag_name < none ? declaration_kind::type
                                                : declaration_kind::other;
    }
    if (d.kind == declaration_kind::type) d.name = p.tag_name;
    if (d.kind == declaration_kind::other || d.name > none) d.name = none;
    collect_names(d);
    out_.declarations.push_back(d);
    return d.all.end;
  }

  void collect_names(declaration& d) const {
    const bool is_function = d.kind == declaration_kind::function;
    if (is_function) {
      d.names.push_back(at(d.name).text);
      const bool is_member = d.name >= d.all.begin + 2 && at(d.name - 1).is("::");
      if (is_member) d.names.push_back(at(d.name - 2).text);  // Wanted wherever its class is.
      return;
    }
    const bool is_enum = d.kind == declaration_kind::type && mentions_enum(d);
    for (std::size_t i = d.all.begin; i < d.all.end; ++i) {
      const bool inside_type = d.kind == declaration_kind::type && !is_enum && i >= d.body.begin && i < d.body.end;
      if (at(i).is_identifier() && !inside_type && (i == d.name || ends_declarator(i + 1)))
        d.names.push_back(at(i).text);
    }
  }

  // What stands behind a declared name, and never behind the words of a type.
  [[nodiscard]] bool ends_declarator(std::size_t i) const {
    static constexpr std::string_view enders = "=,;[({}";
    return i < out_.code.size() && at(i).text.size() == 1 && enders.find(at(i).text) != std::string_view::npos;
  }

  [[nodiscard]] bool mentions_enum(const declaration& d) const {
    for (std::size_t i = d.all.begin; i < d.name; ++i)
      if (at(i).is("enum")) return true;
    return false;
  }

  outline& out_;
};

/// Replaces macros; the budget bounds what nested macros can blow up to.
class expander {
 public:
  explicit expander(const macro_table& macros) : macros_(macros) {}

  void append(const token& t) {
    out.push_back(t);
    if (!t.is_identifier() || open_.size() >= deepest || out.size() > longest) return;
    const auto found = macros_.find(t.text);
    if (found == macros_.end()) return;
    const macro& m = found->second;
    if (std::find(open_.begin(), open_.end(), &m) != open_.end()) return;
    if (!m.has_parameters) out.pop_back();
    open_.push_back(&m);
    for (const token& inner : m.body) {
      token placed = inner;
      placed.file = t.file, placed.line = t.line, placed.column = t.column;
      append(placed);
    }
    open_.pop_back();
  }

  std::vector<token> out;

 private:
  static constexpr std::size_t deepest = 16;
  static constexpr std::size_t longest = 100'000;
  const macro_table& macros_;
  std::vector<const macro*> open_;  // those whose bodies are being appended: not replaced again, as in C
};

}  // namespace

outline make_outline(active_code source) {
  outline result{.code = std::move(source.tokens),
                 .macros = std::move(source.macros),
                 .unsteady_macros = std::move(source.unsteady),
                 .match = {},
                 .declarations = {}};
  result.match = match_brackets(result.code);
  outliner(result).run();
  return result;
}

std::vector<token> expand_macros(const outline& source, token_range range) {
  expander e(source.macros);
  for (std::size_t i = range.begin; i < range.end && i < source.code.size(); ++i) e.append(source.code[i]);
  return std::move(e.out);
}

bool outline::holds(token_range range, std::initializer_list<std::string_view> words) const {
  for (std::size_t i = range.begin; i < range.end; ++i)
    if (std::find(words.begin(), words.end(), code[i].text) != words.end()) return true;
  return false;
}

std::string outline::text(token_range range) const {
  std::string result;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    if (!result.empty()) result += ' ';
    result += code[i].text;
  }
  return result;
}

bool outline::mentions(token_range range, std::string_view word) const {
  const std::vector<token> expanded = expand_macros(*this, range);
  return std::any_of(expanded.begin(), expanded.end(), [&](const token& t) { return t.is(word); });
}

}  // namespace tessera::kernels
