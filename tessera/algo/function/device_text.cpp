#include "tessera/algo/function/device_text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <vector>

#include "tessera/algo/function/type_name.h"
#include "tessera/algo/function/words.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

/// What a TS_DEVICE block made known.
struct known_text {
  std::string text;
  std::string file;
  int line = 0;
  std::string scope;
  std::string path{};  // of a file whose text is not read yet
  block_words words{};
};

std::string place_of(const known_text& b) { return cat(b.file, ":", b.line); }

/// All blocks of the process, in the order of registration. Blocks of headers are registered once per source that
/// includes them, and kept once.
class registry {
 public:
  static registry& instance() {
    static registry made;
    return made;
  }

  void add(known_text b) {
    const std::lock_guard lock(mutex_);
    const auto equal = [&](const known_text& other) {
      return other.text == b.text && other.path == b.path && other.scope == b.scope;
    };
    if (std::none_of(blocks_.begin(), blocks_.end(), equal)) blocks_.push_back(std::move(b));
  }

  /// `function` is called with all blocks, their words known.
  template <class Function>
  auto with_blocks(Function function) {
    const std::lock_guard lock(mutex_);
    for (; analysed_ < blocks_.size(); ++analysed_) analyse(blocks_[analysed_]);
    return function(static_cast<const std::vector<known_text>&>(blocks_));
  }

 private:
  static void analyse(known_text& b) {
    if (!b.path.empty()) b.text = read_file(b);
    b.words = words_of_block(b.text);
  }

  /// Beside the source. Where the compiler was given a relative name of that, it is looked for from the working folder
  /// and those above it, too.
  static std::filesystem::path path_of(const known_text& b) {
    const std::filesystem::path path = std::filesystem::path(b.file).parent_path() / b.path;
    if (path.is_absolute() || std::filesystem::exists(path)) return path;
    std::filesystem::path below;
    for (const std::filesystem::path& step : path.lexically_normal())
      if (step != "..") below /= step;
    std::error_code failed;
    for (std::filesystem::path folder = std::filesystem::current_path(failed); !failed; folder = folder.parent_path()) {
      if (std::filesystem::exists(folder / below, failed)) return folder / below;
      if (folder == folder.root_path()) break;
    }
    return path;
  }

  static std::string read_file(const known_text& b) {
    const std::filesystem::path path = path_of(b);
    std::ifstream in(path);
    std::ostringstream text;
    if (!(text << in.rdbuf()))
      throw io_error(cat(place_of(b), ": TS_DEVICE_FILE(\"", b.path, "\"): cannot read ", path.string()));
    return std::move(text).str();
  }

  std::mutex mutex_;
  std::vector<known_text> blocks_;
  std::size_t analysed_ = 0;
};

bool meets(const word_set& a, const word_set& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& word) { return b.contains(word); });
}

/// True if `text` names something that the block declares. Names of this library are meant only by blocks within it.
bool is_named_by(const known_text& b, const block_words& text) {
  const bool is_of_library = b.scope == "tessera" || b.scope.starts_with("tessera::");
  return meets(b.words.declared, text.used) || (is_of_library && meets(b.words.declared, text.used_of_library));
}

/// Which blocks declare what `text` names, directly or through other blocks.
std::vector<const known_text*> closure(const std::vector<known_text>& blocks, block_words text) {
  std::vector<bool> taken(blocks.size());
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      const block_words& own = blocks[k].words;
      if (taken[k] || !is_named_by(blocks[k], text)) continue;
      taken[k] = grown = true;
      text.used.insert(own.used.begin(), own.used.end());
      text.used_of_library.insert(own.used_of_library.begin(), own.used_of_library.end());
    }
  }
  std::vector<const known_text*> result;
  for (std::size_t k = 0; k < blocks.size(); ++k)
    if (taken[k]) result.push_back(&blocks[k]);
  return result;
}

void refuse_two_definitions(std::span<const known_text* const> blocks) {
  std::map<std::string, const known_text*> defined;
  for (const known_text* b : blocks)
    for (const std::string& type : b->words.types) {
      const std::string name = b->scope.empty() ? type : b->scope + "::" + type;
      const auto [found, fresh] = defined.emplace(name, b);
      if (!fresh)
        throw argument_error(cat("'", name, "' has two device texts: in the TS_DEVICE blocks at ",
                                 place_of(*found->second), " and ", place_of(*b)));
    }
}

std::string line_directive(const known_text& b) {
  const std::string file = b.path.empty() ? b.file : b.path;
  return cat("\n#line ", b.path.empty() ? b.line : 1, " \"", file, "\"\n");
}

}  // namespace

device_block::device_block(const char* text, const char* file, int line, const char* signature) {
  registry::instance().add({text, file, line, scope_in_signature(signature)});
}

device_block::device_block(device_file path, const char* file, int line, const char* signature) {
  registry::instance().add({"", file, line, scope_in_signature(signature), path.path});
}

std::string blocks_needed_by(std::string_view text) {
  return registry::instance().with_blocks([&](const std::vector<known_text>& blocks) {
    const std::vector<const known_text*> needed = closure(blocks, words_of_block(text));
    refuse_two_definitions(needed);
    std::string result;
    for (const known_text* b : needed) result += in_namespace(b->scope, line_directive(*b) + b->text + "\n");
    return result;
  });
}

bool is_declared(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  const std::string last(colon == std::string_view::npos ? name : name.substr(colon + 1));
  return registry::instance().with_blocks([&](const std::vector<known_text>& blocks) {
    return std::any_of(blocks.begin(), blocks.end(),
                       [&](const known_text& b) { return b.words.declared.contains(last); });
  });
}

std::string known_scope(std::string_view scope) {
  return registry::instance().with_blocks([&](const std::vector<known_text>& blocks) {
    std::string candidate(scope);
    while (!candidate.empty()) {
      if (std::any_of(blocks.begin(), blocks.end(), [&](const known_text& b) { return b.scope == candidate; })) break;
      const std::size_t colon = candidate.rfind("::");
      candidate.resize(colon == std::string::npos ? 0 : colon);
    }
    return candidate;
  });
}

std::string in_namespace(std::string_view scope, std::string_view text) {
  if (scope.empty()) return std::string(text);
  return cat("namespace ", scope, " {", text, "}\n");
}

}  // namespace tessera::algo
