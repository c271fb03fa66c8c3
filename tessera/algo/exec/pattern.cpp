#include "tessera/algo/exec/pattern.h"

namespace tessera::algo {

std::string filled(std::string_view pattern, const pattern_values& values) {
  std::string text;
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    if (pattern[k] != '@') {
      text += pattern[k];
      continue;
    }
    const char mark = pattern[++k];
    if (mark == 'A') text += values.type;
    if (mark == 'E') text += values.element;
    if (mark == '(') {
      const std::size_t end = pattern.find("@)", k);
      text += values.last.apply(filled(pattern.substr(k + 1, end - k - 1), values));
      k = end + 1;
    }
    if (mark != '<') continue;
    const std::size_t bar = pattern.find('|', k), end = pattern.find("@>", bar);
    text += values.combine.combine(filled(pattern.substr(k + 1, bar - k - 1), values),
                                   filled(pattern.substr(bar + 1, end - bar - 1), values));
    k = end + 1;
  }
  return text;
}

std::string replaced(std::string_view pattern, std::string_view mark, std::string_view text) {
  std::string made;
  std::size_t from = 0;
  for (std::size_t at = pattern.find(mark); at != pattern.npos; at = pattern.find(mark, from)) {
    made += pattern.substr(from, at - from);
    made += text;
    from = at + mark.size();
  }
  return made += pattern.substr(from);
}

}  // namespace tessera::algo
