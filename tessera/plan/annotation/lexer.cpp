#include "tessera/plan/annotation/lexer.h"

#include <algorithm>
#include <charconv>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::plan {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_symbol(char c) { return std::string_view("[](),:<=+-*/%.&|^").find(c) != std::string_view::npos; }

/// What stands before the caret: blanks, with tabs kept and the tails of UTF-8 characters left out.
std::string caret_indent(std::string_view before) {
  std::string indent;
  for (const char c : before)
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) indent += c == '\t' ? '\t' : ' ';
  return indent;
}

}  // namespace

std::string locate(std::string_view text, std::size_t at, std::string_view message) {
  at = std::min(at, text.size());
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  const std::size_t line_begin = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t line_end = std::min(text.find('\n', at), text.size());
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(line_begin), '\n');
  std::string result = cat("annotation, ", line > 1 ? cat("line ", line, ", ") : std::string(), "column ",
                           at - line_begin + 1, ": ", message, "\n");
  result += cat(text.substr(0, line_end), "\n", caret_indent(text.substr(line_begin, at - line_begin)), "^");
  if (line_end < text.size()) result += text.substr(line_end);
  return result;
}

void throw_annotation_error(std::string_view text, std::size_t at, std::string_view message) {
  throw annotation_error(locate(text, at, message));
}

token_stream::token_stream(std::string_view text) : text_(text) {
  if (text.size() > max_text)
    throw annotation_error(cat("annotation of ", text.size(), " characters; at most ", max_text, " are supported"));
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i;
    if (is_space(text[i])) {
      ++i;
    } else if (is_letter(text[i])) {
      while (i < text.size() && (is_letter(text[i]) || is_digit(text[i]))) ++i;
      push(token::kind::word, begin, i);
    } else if (is_digit(text[i])) {
      read_number(i);
    } else if (is_symbol(text[i])) {
      i += text.substr(i, 2) == "=>" ? 2 : 1;
      push(token::kind::symbol, begin, i);
    } else {
      fail(static_cast<std::uint32_t>(i), "this character has no meaning in an annotation");
    }
  }
  push(token::kind::end, text.size(), text.size());
}

void token_stream::read_number(std::size_t& i) {
  const std::size_t begin = i;
  const bool hexadecimal = text_[i] == '0' && i + 1 < text_.size() && (text_[i + 1] == 'x' || text_[i + 1] == 'X');
  while (i < text_.size() && (is_letter(text_[i]) || is_digit(text_[i]))) ++i;
  const std::string_view digits = text_.substr(begin, i - begin).substr(hexadecimal ? 2 : 0);
  push(token::kind::integer, begin, i);
  const auto [end, problem] =
      std::from_chars(digits.data(), digits.data() + digits.size(), tokens_.back().value, hexadecimal ? 16 : 10);
  const auto at = static_cast<std::uint32_t>(begin);
  if (problem == std::errc::result_out_of_range) fail(at, "this number does not fit 64 bits");
  if (problem != std::errc() || end != digits.data() + digits.size())
    fail(at, "expected an integer: digits only, or hexadecimal after 0x");
  if (!hexadecimal && digits.size() > 1 && digits[0] == '0')
    fail(at, "expected an integer without leading zeros, which C++ would read as octal");
}

void token_stream::push(token::kind type, std::size_t begin, std::size_t end) {
  tokens_.push_back({type, text_.substr(begin, end - begin), 0, static_cast<std::uint32_t>(begin)});
}

const token& token_stream::peek(std::size_t ahead) const {
  return tokens_[std::min(position_ + ahead, tokens_.size() - 1)];
}

bool token_stream::at_symbol(std::string_view symbol, std::size_t ahead) const {
  return peek(ahead).type == token::kind::symbol && peek(ahead).text == symbol;
}

bool token_stream::at_word(std::string_view word, std::size_t ahead) const {
  return at_word(ahead) && peek(ahead).text == word;
}

std::uint32_t token_stream::end_of_previous() const {
  if (position_ == 0) return 0;
  const token& t = tokens_[position_ - 1];
  return t.at + static_cast<std::uint32_t>(t.text.size());
}

bool token_stream::holds(std::string_view symbol) const {
  return std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(position_), tokens_.end(),
                     [&](const token& t) { return t.type == token::kind::symbol && t.text == symbol; });
}

token token_stream::next() {
  const token t = peek();
  if (position_ + 1 < tokens_.size()) ++position_;
  return t;
}

bool token_stream::accept(std::string_view symbol) {
  if (!at_symbol(symbol)) return false;
  next();
  return true;
}

void token_stream::expect(std::string_view symbol) {
  if (!accept(symbol)) fail_expected(cat("`", symbol, "`"));
}

token token_stream::expect_word(std::string_view expected) {
  if (!at_word()) fail_expected(expected);
  return next();
}

void token_stream::fail_expected(std::string_view expected) const {
  const token& t = peek();
  fail(t.at, t.type == token::kind::end ? cat("expected ", expected, ", but the annotation ends here")
                                        : cat("expected ", expected, ", found `", t.text, "`"));
}

void token_stream::fail(std::uint32_t at, std::string_view message) const {
  throw_annotation_error(text_, at, message);
}

}  // namespace tessera::plan
