#include "tessera/kernel/source/token.h"

#include <array>
#include <utility>

#include "tessera/base/text.h"

namespace tessera::kernels {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
constexpr bool is_name(char c) { return is_name_start(c) || is_digit(c); }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

constexpr bool may_start_literal(char c) {
  return c == '"' || c == '\'' || c == 'u' || c == 'U' || c == 'L' || c == 'R';
}

// Longest first.
constexpr std::array<std::string_view, 27> operators = {"<<<", "<<=", ">>=", "->*", "...", "<=>", "::", "->", "++",
                                                        "--",  "<<",  ">>",  "<=",  ">=",  "==",  "!=", "&&", "||",
                                                        "+=",  "-=",  "*=",  "/=",  "%=",  "&=",  "|=", "^=", "##"};

class scanner {
 public:
  scanner(std::string_view source, std::string file) : source_(source) { out_.files.push_back(std::move(file)); }

  token_list run() {
    while (at_ < source_.size()) {
      if (skip_blank()) continue;
      scan_token();
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }
  [[nodiscard]] bool starts_with(std::string_view text) const {
    for (std::size_t i = 0; i < text.size(); ++i)
      if (peek(i) != text[i]) return false;
    return true;
  }

  // Length of a backslash-newline at `at`, or 0.
  [[nodiscard]] std::size_t continuation(std::size_t at) const {
    if (at >= source_.size() || source_[at] != '\\') return 0;
    if (source_.substr(at + 1, 1) == "\n") return 2;
    if (source_.substr(at + 1, 2) == "\r\n") return 3;
    return 0;
  }

  bool skip_blank() {
    const char c = peek();
    if (c == '\n') {
      ++at_;
      ++line_;
      line_start_ = at_;
      fresh_line_ = true;
      return true;
    }
    if (is_blank(c)) {
      ++at_;
      return true;
    }
    if (const std::size_t length = continuation(at_); length > 0) {
      at_ += length;
      ++line_;
      line_start_ = at_;
      return true;
    }
    return false;
  }

  void scan_token() {
    const char c = peek();
    if (is_name_start(c) && !may_start_literal(c)) return emit(token_kind::identifier, name_end(at_));
    if (starts_with("//")) return emit(token_kind::comment, line_end(false));
    if (starts_with("/*")) return emit(token_kind::comment, end_after("*/", at_ + 2));
    if (c == '#' && fresh_line_) return scan_directive();
    if (const std::size_t end = may_start_literal(c) ? literal_end() : 0; end != 0)
      return emit(token_kind::literal, end);
    if (is_name_start(c)) return emit(token_kind::identifier, name_end(at_));
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return emit(token_kind::number, number_end());
    for (std::string_view op : operators)
      if (starts_with(op)) return emit(token_kind::punctuation, at_ + op.size());
    emit(token_kind::punctuation, at_ + 1);
  }

  // The end of the line, continuations included; a directive also runs over block comments.
  [[nodiscard]] std::size_t line_end(bool over_comments) const {
    std::size_t i = at_;
    while (i < source_.size() && source_[i] != '\n') {
      if (const std::size_t length = continuation(i); length > 0)
        i += length;
      else if (over_comments && source_.substr(i, 2) == "/*")
        i = end_after("*/", i + 2);
      else if (over_comments && source_.substr(i, 2) == "//")
        over_comments = false;
      else
        ++i;
    }
    return i;
  }

  [[nodiscard]] std::size_t end_after(std::string_view closer, std::size_t from) const {
    const std::size_t found = source_.find(closer, from);
    return found == std::string_view::npos ? source_.size() : found + closer.size();
  }

  [[nodiscard]] std::size_t name_end(std::size_t from) const {
    while (from < source_.size() && is_name(source_[from])) ++from;
    return from;
  }

  [[nodiscard]] std::size_t number_end() const {
    std::size_t i = at_ + 1;
    for (; i < source_.size(); ++i) {
      const char c = source_[i];
      const char before = source_[i - 1];
      const bool sign = (c == '+' || c == '-') && (before == 'e' || before == 'E' || before == 'p' || before == 'P');
      const bool hex_digit_e = sign && source_.substr(at_, 2) == "0x" && (before == 'e' || before == 'E');
      const bool separator = c == '\'' && i + 1 < source_.size() && is_name(source_[i + 1]);
      if (!is_name(c) && c != '.' && !separator && (!sign || hex_digit_e)) break;
    }
    return i;
  }

  // The end of a literal that starts here, prefix included; 0 if none does.
  [[nodiscard]] std::size_t literal_end() const {
    for (std::string_view prefix : {"", "u8", "u", "U", "L"}) {
      if (!starts_with(prefix)) continue;
      const std::size_t quote = at_ + prefix.size();
      const char c = quote < source_.size() ? source_[quote] : '\0';
      if (c == '"' || c == '\'') return quoted_end(quote, c);
      if (source_.substr(quote, 2) == "R\"") return raw_end(quote + 2);
    }
    return 0;
  }

  [[nodiscard]] std::size_t quoted_end(std::size_t quote, char closer) const {
    std::size_t i = quote + 1;
    while (i < source_.size() && source_[i] != closer && source_[i] != '\n') {
      const std::size_t length = continuation(i);
      i += length > 0 ? length : source_[i] == '\\' ? 2 : 1;
    }
    if (i >= source_.size()) return source_.size();
    return source_[i] == closer ? i + 1 : i;
  }

  [[nodiscard]] std::size_t raw_end(std::size_t delimiter) const {
    constexpr std::size_t longest_delimiter = 16;
    const std::size_t open = source_.find('(', delimiter);
    if (open == std::string_view::npos || open - delimiter > longest_delimiter) return delimiter;
    return end_after(cat(")", source_.substr(delimiter, open - delimiter), "\""), open + 1);
  }

  void scan_directive() {
    const std::size_t end = line_end(true);
    const std::string_view text = source_.substr(at_, end - at_);
    emit(token_kind::directive, end);
    obey_line_directive(text);
  }

  // `#line 12 "file"` or `# 12 "file"`: the line after this one is 12.
  void obey_line_directive(std::string_view text) {
    std::size_t i = 1;
    const auto skip = [&] {
      while (i < text.size() && is_blank(text[i])) ++i;
    };
    skip();
    if (text.substr(i, 4) == "line") i += 4;
    skip();
    if (i >= text.size() || !is_digit(text[i])) return;
    std::uint64_t number = 0;
    for (; i < text.size() && is_digit(text[i]) && number < UINT32_MAX / 16; ++i)
      number = number * 10 + static_cast<std::uint64_t>(text[i] - '0');
    skip();
    line_ = static_cast<std::uint32_t>(number) - 1;
    if (i >= text.size() || text[i] != '"') return;
    const std::size_t close = text.find('"', i + 1);
    if (close != std::string_view::npos) enter_file(text.substr(i + 1, close - i - 1));
  }

  void enter_file(std::string_view name) {
    for (file_ = 0; file_ < out_.files.size(); ++file_)
      if (out_.files[file_] == name) return;
    out_.files.emplace_back(name);
  }

  void emit(token_kind kind, std::size_t end) {
    const std::string_view text = source_.substr(at_, end - at_);
    out_.tokens.push_back({kind, text, file_, line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)});
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\n') continue;
      ++line_;
      line_start_ = at_ + i + 1;
    }
    if (kind != token_kind::comment) fresh_line_ = false;
    at_ = end;
  }

  std::string_view source_;
  token_list out_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t file_ = 0;
  bool fresh_line_ = true;
};

}  // namespace

std::string token_list::position(const token& at) const { return cat(files[at.file], ":", at.line, ":", at.column); }

token_list tokenise(std::string_view source, std::string file) { return scanner(source, std::move(file)).run(); }

}  // namespace tessera::kernels
