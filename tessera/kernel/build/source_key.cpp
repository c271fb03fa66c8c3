#include "tessera/kernel/build/source_key.h"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace tessera::kernels {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> read_file(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::string_view skip_blanks(std::string_view text) {
  const std::size_t at = text.find_first_not_of(" \t");
  return at == std::string_view::npos ? std::string_view{} : text.substr(at);
}

bool is_name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Follows `#include` (and `__has_include`) from file to file and adds to the hash what it meets.
class include_walk {
 public:
  include_walk(const device::source_desc& source, sha256& hash) : source_(source), hash_(hash) {}

  void scan(std::string_view text, const std::optional<fs::path>& folder) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      const std::string_view line = skip_blanks(text.substr(0, end));
      if (line.starts_with('#')) scan_directive(skip_blanks(line.substr(1)), folder);
      text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
  }

  [[nodiscard]] bool complete() const { return complete_; }

 private:
  void scan_directive(std::string_view directive, const std::optional<fs::path>& folder) {
    constexpr std::string_view word = "include";
    bool first = true;  // the directive's own name, not __has_include in an #if
    for (std::size_t at = directive.find(word); at != std::string_view::npos; at = directive.find(word)) {
      const bool is_directive = first && at == 0;
      first = false;
      directive.remove_prefix(at + word.size());
      if (directive.starts_with("_next")) directive.remove_prefix(5);
      if (!directive.empty() && is_name_character(directive.front())) continue;
      std::string_view name = skip_blanks(directive);
      if (name.starts_with('(')) name = skip_blanks(name.substr(1));
      const char close = name.starts_with('"') ? '"' : name.starts_with('<') ? '>' : '\0';
      const std::size_t end = close == '\0' ? std::string_view::npos : name.find(close, 1);
      if (end != std::string_view::npos)
        visit(std::string(name.substr(1, end - 1)), close == '"' ? folder : std::nullopt);
      else if (is_directive)
        complete_ = false;
    }
  }

  void visit(const std::string& name, const std::optional<fs::path>& folder) {
    if (folder && add(*folder / name)) return;
    for (const std::string& path : source_.include_paths)
      if (add(fs::path(path) / name)) return;
    hash_.add_field("absent").add_field(name);
  }

  bool add(const fs::path& path) {
    const fs::path place = fs::absolute(path).lexically_normal();
    if (visited_.contains(place)) return true;
    const std::optional<std::string> text = read_file(place);
    if (!text) return false;
    visited_.insert(place);
    hash_.add_field(place.string()).add_field(*text);
    scan(*text, place.parent_path());
    return true;
  }

  const device::source_desc& source_;
  sha256& hash_;
  std::set<fs::path> visited_;
  bool complete_ = true;
};

void add_list(sha256& hash, const std::vector<std::string>& texts) {
  hash.add_field(std::to_string(texts.size()));
  for (const std::string& text : texts) hash.add_field(text);
}

}  // namespace

source_key key_of(const device::source_desc& source) {
  sha256 hash;
  hash.add_field(source.text);
  add_list(hash, source.flags);
  add_list(hash, source.include_paths);
  include_walk walk(source, hash);
  walk.scan(source.text, std::nullopt);
  return {hash.finish(), walk.complete()};
}

}  // namespace tessera::kernels
