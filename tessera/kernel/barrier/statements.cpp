#include "tessera/kernel/barrier/statements.h"

#include <algorithm>
#include <array>

namespace tessera::kernels {
namespace {

constexpr std::array<std::string_view, 16> type_words = {"const", "volatile", "unsigned", "signed",  "long", "short",
                                                         "int",   "float",    "double",   "char",    "bool", "auto",
                                                         "enum",  "typename", "struct",   "register"};
constexpr std::array<std::string_view, 17> no_types = {"return", "else",  "case",    "goto",  "new",     "delete",
                                                       "sizeof", "throw", "do",      "if",    "for",     "while",
                                                       "switch", "break", "default", "using", "continue"};

/// Of a declaration, from its first token on; positions run forward only.
class declaration_reader {
 public:
  declaration_reader(const outline& source, token_range statement) : source_(source), range_(statement) {}

  std::optional<std::vector<declarator>> read() {
    std::size_t i = read_type(range_.begin);
    if (i == range_.end || i == range_.begin) return std::nullopt;
    const std::string type = specifiers({range_.begin, i});
    const bool const_type = is_const({range_.begin, i});
    std::vector<declarator> result;
    while (true) {
      declarator d;
      d.is_const = const_type;
      const std::size_t first = i;
      for (; i < range_.end && is_pointer_part(at(i)); ++i) {
        d.is_reference = d.is_reference || at(i).is("&") || at(i).is("&&");
        if (at(i).is("*")) d.is_const = false;
        if (at(i).is("const")) d.is_const = true;
      }
      if (i >= range_.end || !at(i).is_identifier()) return std::nullopt;
      d.type = type + " " + source_.text({first, i});
      d.name = i++;
      if (!read_rest(d, i)) return std::nullopt;
      result.push_back(d);
      if (at(i).is(";")) return result;
      ++i;  // the comma
    }
  }

 private:
  [[nodiscard]] const token& at(std::size_t i) const { return source_.code[i]; }

  static bool is_pointer_part(const token& t) {
    return t.is("*") || t.is("&") || t.is("&&") || t.is("const") || t.is("volatile") || t.is("__restrict__") ||
           t.is("__restrict") || t.is("restrict");
  }

  /// The position behind words of a type; `range_.begin` if there are none.
  [[nodiscard]] std::size_t read_type(std::size_t i) const {
    bool named = false;
    for (; i < range_.end; ++i) {
      const token& t = at(i);
      if (!t.is_identifier()) break;
      if (is_type_word(t.text)) {
        named = named || !(t.is("const") || t.is("volatile") || t.is("typename") || t.is("struct") || t.is("enum") ||
                           t.is("register"));
        continue;
      }
      if (named || is_among(no_types, t.text)) break;
      named = true;
      i = after_path(i) - 1;
    }
    return named ? i : range_.begin;
  }

  /// Behind `a::b<c, d>` at i.
  [[nodiscard]] std::size_t after_path(std::size_t i) const {
    for (++i; i + 1 < range_.end && at(i).is("::") && at(i + 1).is_identifier(); i += 2) {
    }
    if (i >= range_.end || !at(i).is("<")) return i;
    int depth = 0;
    for (std::size_t k = i; k < range_.end; ++k) {
      depth += at(k).is("<") ? 1 : at(k).is(">") ? -1 : at(k).is(">>") ? -2 : 0;
      if (depth <= 0) return k + 1;
    }
    return i;
  }

  [[nodiscard]] std::string specifiers(token_range range) const {
    std::string text;
    for (std::size_t i = range.begin; i < range.end; ++i)
      if (!at(i).is("register")) text += (text.empty() ? "" : " ") + std::string(at(i).text);
    return text;
  }
  /// Not for what stands between `<` and `>`.
  [[nodiscard]] bool is_const(token_range range) const {
    int depth = 0;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      depth += at(i).is("<") ? 1 : at(i).is(">") ? -1 : at(i).is(">>") ? -2 : 0;
      if (depth == 0 && at(i).is("const")) return true;
    }
    return false;
  }

  /// Extents and initial value; stops at the comma or semicolon behind.
  bool read_rest(declarator& d, std::size_t& i) const {
    const std::size_t extents = i;
    while (i < range_.end && at(i).is("[") && source_.match[i] > i) i = source_.match[i] + 1;
    d.extents = source_.text({extents, i});
    if (i >= range_.end) return false;
    const bool bracket = (at(i).is("(") || at(i).is("{")) && source_.match[i] > i;
    if (at(i).is("=")) {
      const std::size_t begin = ++i;
      while (i < range_.end && !at(i).is(",") && !at(i).is(";"))
        i = std::max(source_.match[i], i) + 1;  // over brackets
      d.initial = {begin, std::min(i, range_.end)};
    } else if (bracket) {
      d.initial = {i, source_.match[i] + 1};
      i = d.initial.end;
    }
    d.end = i;
    return i < range_.end && (at(i).is(",") || at(i).is(";"));
  }

  const outline& source_;
  token_range range_;
};

}  // namespace

bool is_type_word(std::string_view word) { return is_among(type_words, word); }

std::size_t after_parentheses(const outline& source, std::size_t at, std::size_t end) {
  if (at >= end || !source.code[at].is("(")) return end;
  return source.match[at] > at && source.match[at] < end ? source.match[at] + 1 : end;
}

std::size_t statement_end(const outline& source, std::size_t begin, std::size_t end) {
  std::size_t i = begin;
  const auto is = [&](std::string_view word) { return i < end && source.code[i].is(word); };
  while (is("_Pragma")) i = after_parentheses(source, i + 1, end);
  if (is("{")) return source.match[i] > i && source.match[i] < end ? source.match[i] + 1 : end;
  if (is("if")) {
    ++i;
    if (is("constexpr")) ++i;
    i = statement_end(source, after_parentheses(source, i, end), end);
    return is("else") ? statement_end(source, i + 1, end) : i;
  }
  if (is("for") || is("while") || is("switch"))
    return statement_end(source, after_parentheses(source, i + 1, end), end);
  if (is("do")) {
    i = statement_end(source, i + 1, end);
    i = is("while") ? after_parentheses(source, i + 1, end) : end;
    return is(";") ? i + 1 : end;
  }
  while (i < end && !source.code[i].is(";")) i = std::max(source.match[i], i) + 1;
  return std::min(i + 1, end);
}

std::optional<std::vector<declarator>> read_declaration(const outline& source, token_range statement) {
  return declaration_reader(source, statement).read();
}

bool is_assignment_operator(const token& t) {
  static constexpr std::array<std::string_view, 13> operators = {
      "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"};
  return is_among(operators, t.text);
}

std::optional<assignment> read_assignment(const outline& source, token_range statement) {
  const std::vector<token>& code = source.code;
  if (!statement.empty() && code[statement.end - 1].is(";")) --statement.end;
  const std::size_t b = statement.begin, count = statement.end - statement.begin;
  if (statement.empty() || count < 2) return std::nullopt;
  const auto steps = [](const token& t) { return t.is("++") || t.is("--"); };
  if (count == 2 && steps(code[b]) && code[b + 1].is_identifier()) return assignment{b + 1, {}};
  if (count == 2 && steps(code[b + 1]) && code[b].is_identifier()) return assignment{b, {}};
  if (!code[b].is_identifier() || !is_assignment_operator(code[b + 1]) || steps(code[b + 1])) return std::nullopt;
  return assignment{b, {b + 2, statement.end}};
}

}  // namespace tessera::kernels
