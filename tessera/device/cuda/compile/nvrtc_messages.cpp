#include "tessera/device/cuda/compile/nvrtc_messages.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <vector>

#include "tessera/base/text.h"

namespace tessera::device {
namespace {

/// What `#line` calls the text behind the user's: where that is wrong, errors here only follow.
constexpr std::string_view entry_file = "tessera/entry";

/// The first line of a message: `file(line): error: text`.
struct heading {
  std::string_view file;
  std::string_view line;
  std::string_view text;  ///< From "error:" on.
  bool is_error = false;
};

std::optional<heading> read_heading(std::string_view line) {
  constexpr std::array<std::string_view, 4> severities = {"error", "catastrophic error", "warning", "remark"};
  for (std::size_t close = line.find("): "); close != std::string_view::npos; close = line.find("): ", close + 1)) {
    std::size_t open = close;
    while (open > 0 && std::isdigit(static_cast<unsigned char>(line[open - 1])) != 0) --open;
    const bool numbered = open < close && open > 1 && line[open - 1] == '(';
    const std::string_view text = line.substr(close + 3);
    for (std::size_t s = 0; numbered && s < severities.size(); ++s) {
      const std::string_view behind = text.substr(std::min(severities[s].size(), text.size()));
      if (text.starts_with(severities[s]) && (behind.starts_with(":") || behind.starts_with(" #")))
        return heading{line.substr(0, open - 1), line.substr(open, close - open), text, s < 2};
    }
  }
  return std::nullopt;
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

/// The column that a line with nothing but a caret points at, in the line above it, which is indented by two; else 0.
std::size_t pointed_column(std::string_view line) {
  const std::size_t caret = line.find_first_not_of(' ');
  const bool alone = caret != std::string_view::npos && line[caret] == '^' && is_blank(line.substr(caret + 1));
  return alone && caret >= 2 ? caret - 1 : 0;
}

bool is_sum(std::string_view line) {
  return line.find(" detected in the compilation of ") != std::string_view::npos || line == "Compilation terminated.";
}

}  // namespace

std::string lay_out_nvrtc_messages(std::string_view log) {
  const std::vector<std::string_view> lines = split_lines(log.substr(0, log.find('\0')));
  std::string out;
  std::string consequences;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::optional<heading> head = read_heading(lines[i]);
    if (!head) {
      if (!is_blank(lines[i]) && !is_sum(lines[i])) out += cat(lines[i], "\n");
      continue;
    }
    std::string more;
    std::size_t column = 0;
    for (; i + 1 < lines.size() && !is_blank(lines[i + 1]) && !is_sum(lines[i + 1]) && !read_heading(lines[i + 1]);
         ++i) {
      const std::size_t pointed = i + 2 < lines.size() ? pointed_column(lines[i + 2]) : 0;
      if (pointed == 0)
        more += cat(lines[i + 1], "\n");
      else
        column = column == 0 ? pointed : column, ++i;
    }
    if (!head->is_error) continue;
    std::string& target = head->file == entry_file ? consequences : out;
    target += cat(head->file, ":", head->line, column == 0 ? "" : cat(":", column), ": ", head->text, "\n", more);
  }
  return out.empty() ? consequences : out;
}

}  // namespace tessera::device
