#include "tessera/kernel/source/preprocess.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/kernel/source/condition.h"

namespace tessera::kernels {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view leading_name(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && is_name_byte(text[length])) ++length;
  return text.substr(0, length);
}

std::vector<token> code_tokens(std::string_view text) {
  std::vector<token> result;
  for (const token& t : tokenise(text, "").tokens)
    if (t.is_code()) result.push_back(t);
  for (token& t : result) t.file = 0;
  return result;
}

void define(macro_table& macros, std::string_view text) {
  const std::string_view name = leading_name(text);
  if (name.empty()) return;
  std::string_view rest = text.substr(name.size());
  macro result;
  if (rest.starts_with('(')) {
    result.has_parameters = true;
    const std::size_t close = rest.find(')');
    for (const token& t : code_tokens(rest.substr(1, close == std::string_view::npos ? close : close - 1)))
      if (!t.is(",")) result.parameters.push_back(t.text);
    rest = close == std::string_view::npos ? std::string_view{} : rest.substr(close + 1);
  }
  result.body = code_tokens(rest);
  macros.insert_or_assign(std::string(name), std::move(result));
}

/// The state of the conditions around the current line.
class condition_stack {
 public:
  [[nodiscard]] bool active() const {
    for (const frame& f : frames_)
      if (!f.active) return false;
    return true;
  }

  /// Handles conditional directives; false if the directive is of another kind.
  bool take(const directive_parts& parts, const macro_table& macros) {
    const std::string_view k = parts.keyword;
    if (k == "if" || k == "ifdef" || k == "ifndef") {
      const bool on = !active() || holds(parts, macros);
      frames_.push_back({on, on});
    } else if (k == "elif" || k == "else") {
      if (frames_.empty()) return true;
      const bool on = !frames_.back().taken && (k == "else" || holds(parts, macros));
      frames_.back() = {on, frames_.back().taken || on};
    } else if (k == "endif") {
      if (!frames_.empty()) frames_.pop_back();
    } else {
      return false;
    }
    return true;
  }

 private:
  struct frame {
    bool active;
    bool taken;
  };

  static bool holds(const directive_parts& parts, const macro_table& macros) {
    if (parts.keyword == "ifdef") return macros.contains(leading_name(parts.rest));
    if (parts.keyword == "ifndef") return !macros.contains(leading_name(parts.rest));
    return evaluate_condition(code_tokens(parts.rest), macros).value_or(1) != 0;
  }

  std::vector<frame> frames_;
};

macro_table given_macros(const define_list& defines) {
  macro_table macros;
  define(macros, "__CUDACC__ 1");
  define(macros, "__CUDA_ARCH__ 700");
  define(macros, "__cplusplus 202002");
  define(macros, "__TESSERA__ 1");
  for (const auto& [name, value] : defines)
    macros.insert_or_assign(name, macro{.has_parameters = false, .parameters = {}, .body = code_tokens(value)});
  return macros;
}

std::optional<std::string> read_file(const std::filesystem::path& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::string escaped(const std::string& path) {
  std::string text;
  for (char c : path) text += c == '"' || c == '\\' || c == '\n' ? '?' : c;
  return text;
}

class header_inliner {
 public:
  std::string run(const std::string& source, const std::string& file) {
    append(source, file, 0);
    return std::move(out_);
  }

 private:
  static constexpr int deepest = 64;
  static constexpr std::size_t largest = std::size_t{16} << 20;

  void append(const std::string& source, const std::string& file, int depth) {
    const token_list list = tokenise(source, file);
    std::size_t done = 0;
    for (const token& t : list.tokens) {
      if (t.kind != token_kind::directive) continue;
      bool quoted = false;
      const std::string_view name = included_name(t.text, quoted);
      if (name.empty() || !quoted) continue;
      const std::filesystem::path path = std::filesystem::path(file).parent_path() / name;
      const std::optional<std::string> text = read_file(path);
      if (!text) continue;
      if (depth == deepest || out_.size() + text->size() > largest)
        throw compile_error(cat(list.position(t), ": headers include each other without end: \"", name, "\""));
      const std::size_t start = static_cast<std::size_t>(t.text.data() - source.data());
      out_.append(source, done, start - done);
      append_header(*text, path.string(), depth);
      done = start + t.text.size();
      out_ += cat("\n#line ", next_line(t), " \"", list.files[t.file], "\"");
    }
    out_.append(source, done, std::string::npos);
  }

  static std::size_t next_line(const token& directive) {
    std::size_t line = directive.line + 1U;
    for (char c : directive.text) line += c == '\n' ? 1U : 0U;
    return line;
  }

  // `#pragma once` becomes an include guard, because the file's name no longer tells the compiler anything.
  void append_header(const std::string& text, const std::string& path, int depth) {
    const bool once = text.find("#pragma once") != std::string::npos;
    if (once) {
      const auto [known, fresh] = guards_.try_emplace(path, guards_.size());
      out_ += cat("#ifndef __tessera_once_", known->second, "\n#define __tessera_once_", known->second, "\n");
    }
    out_ += cat("#line 1 \"", escaped(path), "\"\n");
    append(text, path, depth + 1);
    if (once) out_ += "\n#endif";
  }

  std::string out_;
  std::map<std::string, std::size_t> guards_;
};

}  // namespace

directive_parts split_directive(std::string_view directive) {
  std::string_view text = trim(directive.substr(1));
  const std::string_view keyword = leading_name(text);
  return {keyword, trim(text.substr(keyword.size()))};
}

std::string_view included_name(std::string_view directive, bool& quoted) {
  const directive_parts parts = split_directive(directive);
  if (parts.keyword != "include" || parts.rest.size() < 2) return {};
  quoted = parts.rest.front() == '"';
  if (!quoted && parts.rest.front() != '<') return {};
  const std::size_t close = parts.rest.find(quoted ? '"' : '>', 1);
  return close == std::string_view::npos ? std::string_view{} : parts.rest.substr(1, close - 1);
}

active_code select_active(const token_list& source, const define_list& defines) {
  active_code result;
  result.macros = given_macros(defines);
  condition_stack conditions;
  for (const token& t : source.tokens) {
    if (t.kind == token_kind::directive) {
      const directive_parts parts = split_directive(t.text);
      if (conditions.take(parts, result.macros) || !conditions.active()) continue;
      const bool changes = parts.keyword == "define" || parts.keyword == "undef";
      if (changes && result.macros.contains(leading_name(parts.rest))) result.unsteady.insert(leading_name(parts.rest));
      if (parts.keyword == "define") define(result.macros, parts.rest);
      if (parts.keyword == "undef") {
        const auto found = result.macros.find(leading_name(parts.rest));
        if (found != result.macros.end()) result.macros.erase(found);
      }
    } else if (t.is_code() && conditions.active()) {
      result.tokens.push_back(t);
    }
  }
  return result;
}

std::string inline_headers(const std::string& source, const std::string& file) {
  if (source.find("include") == std::string::npos) return source;
  return header_inliner().run(source, file);
}

}  // namespace tessera::kernels
