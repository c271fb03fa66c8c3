#include "tessera/algo/function/words.h"

#include <cctype>

namespace tessera::algo {
namespace {

bool begins_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_word(char c) { return begins_word(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Words of the language are no names, wherever they stand.
bool is_keyword(std::string_view word) {
  // clang-format off
  static const std::set<std::string_view> keywords = {
      "alignas", "alignof", "auto", "bool", "break", "case", "char", "class", "const", "const_cast", "constexpr",
      "continue", "decltype", "default", "delete", "do", "double", "else", "enum", "explicit", "extern", "false",
      "final", "float", "for", "friend", "goto", "if", "inline", "int", "int16_t", "int32_t", "int64_t", "int8_t",
      "long", "mutable", "namespace", "new", "noexcept", "nullptr", "operator", "override", "private", "public",
      "reinterpret_cast", "return", "short", "signed", "size_t", "sizeof", "static", "static_assert",
      "static_cast", "std", "struct", "switch", "template", "tessera", "this", "true", "ts", "typedef",
      "typename", "uint16_t", "uint32_t", "uint64_t", "uint8_t", "union", "unsigned", "using", "virtual", "void",
      "volatile", "while", "__device__", "__forceinline__", "__host__"};
  // clang-format on
  return keywords.contains(word);
}
bool names_type(std::string_view word) {
  return word == "struct" || word == "class" || word == "union" || word == "enum";
}

/// Reads text word by word and keeps count of braces.
class word_reader {
 public:
  explicit word_reader(std::string_view text) : text_(text) {}

  block_words read() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (skip_comment() || skip_quoted(c)) continue;
      if (begins_word(c))
        take_word();
      else if (std::isdigit(static_cast<unsigned char>(c)) != 0)
        skip_number();
      else
        take_sign(c);
    }
    for (const std::string& parameter : template_parameters_)
      if (!words_.types.contains(parameter)) words_.declared.erase(parameter);
    return std::move(words_);
  }

 private:
  bool skip_comment() {
    if (text_.substr(at_, 2) == "//") {
      at_ = std::min(text_.find('\n', at_), text_.size());
      return true;
    }
    if (text_.substr(at_, 2) != "/*") return false;
    const std::size_t end = text_.find("*/", at_ + 2);
    at_ = end == std::string_view::npos ? text_.size() : end + 2;
    return true;
  }

  bool skip_quoted(char quote) {
    if (quote != '"' && quote != '\'') return false;
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_)
      if (text_[at_] == '\\') ++at_;
    ++at_;
    return true;
  }

  void skip_number() {
    while (at_ < text_.size() && (continues_word(text_[at_]) || text_[at_] == '.' || text_[at_] == '\'')) ++at_;
  }

  /// True if the text goes on with `::`, which is skipped.
  bool skip_colons() {
    const std::size_t next = text_.find_first_not_of(' ', at_);
    if (next == std::string_view::npos || text_.substr(next, 2) != "::") return false;
    at_ = next + 2;
    return true;
  }

  /// True if the word in front may be one that is declared here; qualified ones are, of functions.
  [[nodiscard]] bool gives_name(bool is_qualified) const {
    if (behind_colons_ || in_bases_) return false;
    const std::size_t next = text_.find_first_not_of(' ', at_);
    return !is_qualified || (next != std::string_view::npos && text_[next] == '(');
  }

  void take_word() {
    std::size_t end = at_;
    while (end < text_.size() && continues_word(text_[end])) ++end;
    const std::string word(text_.substr(at_, end - at_));
    at_ = end;
    const bool outside = braces_ == 0 && parentheses_ == 0 && template_lists_ == 0;
    const bool is_qualified = behind_colons_, is_of_library = is_qualified && scope_is_of_library_;
    scope_is_of_library_ = is_of_library || word == "tessera" || word == "ts";
    behind_colons_ = skip_colons();
    template_list_follows_ = word == "template";
    if (is_of_library && !is_keyword(word)) words_.used_of_library.insert(word);
    if (!is_keyword(word) && !is_of_library) {
      words_.used.insert(word);
      if ((outside && gives_name(is_qualified)) || in_enumeration_) words_.declared.insert(word);
      if (template_lists_ > 0 && !behind_equals_) template_parameters_.insert(word);
    }
    if (!outside) return;
    if (names_type(word)) {
      type_follows_ = true;
      enumeration_ = enumeration_ || word == "enum";  // "enum class" is one
    } else if (type_follows_) {
      type_ = word;
      type_follows_ = false;
    }
  }

  void take_sign(char c) {
    ++at_;
    if (c == '<' && (template_list_follows_ || template_lists_ > 0)) ++template_lists_;
    if (c == '>' && template_lists_ > 0) --template_lists_;
    if (c == ':' && !type_.empty() && braces_ == 0) in_bases_ = true;
    if (c == '{' || c == ';') in_bases_ = false;
    if (c != ' ') behind_colons_ = false;
    template_list_follows_ = template_list_follows_ && std::isspace(static_cast<unsigned char>(c)) != 0;
    behind_equals_ = c == '=' || (behind_equals_ && c != ',' && c != '>');
    if (c == '(') ++parentheses_;
    if (c == ')') --parentheses_;
    if (c == '{') {
      if (braces_++ == 0) begin_body();
    }
    if (c == '}' && --braces_ == 0) in_enumeration_ = false;
    if (braces_ == 0 && !in_bases_ && (c == ';' || c == '>' || c == ',' || c == '(')) type_.clear();
    if (c == '{' || c == ';') type_follows_ = false;
    if (c == ';' && braces_ == 0) enumeration_ = false;
  }

  void begin_body() {
    if (!type_.empty()) words_.types.insert(type_);
    in_enumeration_ = enumeration_ && parentheses_ == 0;
    enumeration_ = false;
    type_.clear();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int braces_ = 0, parentheses_ = 0, template_lists_ = 0;
  bool template_list_follows_ = false, behind_equals_ = false;
  bool behind_colons_ = false, scope_is_of_library_ = false, in_bases_ = false;
  word_set template_parameters_;
  bool type_follows_ = false, enumeration_ = false, in_enumeration_ = false;
  std::string type_;
  block_words words_;
};

}  // namespace

block_words words_of_block(std::string_view text) { return word_reader(text).read(); }

}  // namespace tessera::algo
