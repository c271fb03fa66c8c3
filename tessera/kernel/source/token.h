#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::kernels {

enum class token_kind : std::uint8_t {
  identifier,
  number,
  literal,      ///< A string, raw string or character literal with its quotes and prefix.
  punctuation,  ///< An operator, as long as C++ allows; `<<<` is one token, `>>>` is `>>` and `>`.
  directive,    ///< A whole preprocessor line with its continuations, without the final newline.
  comment,
};

/// A piece of source text where it stands. `text` points into the source, which must outlive the token.
struct token {
  token_kind kind = token_kind::punctuation;
  std::string_view text;
  std::uint32_t file = 0;    ///< Index into `token_list::files`.
  std::uint32_t line = 1;    ///< As a compiler counts: `#line` is obeyed.
  std::uint32_t column = 1;  ///< In bytes.

  [[nodiscard]] bool is(std::string_view other) const { return text == other; }
  [[nodiscard]] bool is_identifier() const { return kind == token_kind::identifier; }
  [[nodiscard]] bool is_code() const { return kind < token_kind::directive; }
};

struct token_list {
  std::vector<token> tokens;
  std::vector<std::string> files;  ///< files[0] is the name given to `tokenise`.

  /// "stencil.cu:12:7".
  [[nodiscard]] std::string position(const token& at) const;
};

/// Whether `word` is one of `words`.
template <class Words>
[[nodiscard]] bool is_among(const Words& words, std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

/// Cuts C++ or CUDA text into tokens. Takes any bytes: what is no token of the language is punctuation of one byte,
/// and what is not closed ends with the text.
[[nodiscard]] token_list tokenise(std::string_view source, std::string file);

}  // namespace tessera::kernels
