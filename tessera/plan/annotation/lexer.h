#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::plan {

/// "annotation, column 9: <message>", the text, and a caret below byte `at`.
[[nodiscard]] std::string locate(std::string_view text, std::size_t at, std::string_view message);

[[noreturn]] void throw_annotation_error(std::string_view text, std::size_t at, std::string_view message);

struct token {
  enum class kind : std::uint8_t { word, integer, symbol, end };
  kind type = kind::end;
  std::string_view text;
  std::int64_t value = 0;  ///< Of an integer.
  std::uint32_t at = 0;
};

/// The tokens of an annotation with a reading position; the last one is always `end`. `text` must outlive it.
/// Throws `annotation_error` for characters and numbers that the language does not have.
class token_stream {
 public:
  static constexpr std::size_t max_text = 16384;

  explicit token_stream(std::string_view text);

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] const token& peek(std::size_t ahead = 0) const;
  [[nodiscard]] bool at_symbol(std::string_view symbol, std::size_t ahead = 0) const;
  [[nodiscard]] bool at_word(std::size_t ahead = 0) const { return peek(ahead).type == token::kind::word; }
  [[nodiscard]] bool at_word(std::string_view word, std::size_t ahead = 0) const;
  /// Where the token before the reading position ends.
  [[nodiscard]] std::uint32_t end_of_previous() const;
  /// True if `symbol` occurs at or behind the reading position.
  [[nodiscard]] bool holds(std::string_view symbol) const;

  token next();
  bool accept(std::string_view symbol);
  void expect(std::string_view symbol);
  token expect_word(std::string_view expected);

  /// "expected `expected`, found ..." at the reading position.
  [[noreturn]] void fail_expected(std::string_view expected) const;
  [[noreturn]] void fail(std::uint32_t at, std::string_view message) const;

 private:
  void read_number(std::size_t& i);
  void push(token::kind type, std::size_t begin, std::size_t end);

  std::string_view text_;
  std::vector<token> tokens_;
  std::size_t position_ = 0;
};

}  // namespace tessera::plan
