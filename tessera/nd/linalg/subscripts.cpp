#include "tessera/nd/linalg/subscripts.h"

#include <algorithm>
#include <map>

#include "tessera/base/index.h"
#include "tessera/nd/refuse.h"

namespace tessera::nd {
namespace {

constexpr std::string_view dots = "...";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// One operand or the result: letters, and where the dots stand among them.
struct term {
  std::string letters;
  std::size_t dots_at = std::string::npos;

  [[nodiscard]] bool has_dots() const { return dots_at != std::string::npos; }
  /// With labels for `count` axes in place of the dots.
  [[nodiscard]] std::string expanded(int count) const {
    std::string made = letters;
    for (int k = 0; k < count; ++k) made.insert(dots_at, 1, static_cast<char>(k));
    return made;
  }
};

term parse_term(std::string_view text, call_site here) {
  term made;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == ' ') continue;
    if (text.substr(k, dots.size()) == dots && !made.has_dots()) {
      made.dots_at = made.letters.size();
      k += dots.size() - 1;
    } else if (is_letter(text[k])) {
      made.letters += text[k];
    } else {
      refuse(here, "einsum: '", text, "' holds '", text.substr(k, 1), "'; axes are letters, and '...' stands once");
    }
  }
  return made;
}

std::vector<std::string_view> pieces_of(std::string_view text) {
  std::vector<std::string_view> made;
  for (std::size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
    made.push_back(text.substr(0, comma));
    text.remove_prefix(comma + 1);
  }
  made.push_back(text);
  return made;
}

/// The letters that stand once, in their order.
term plain_result(const std::vector<term>& operands) {
  std::map<char, int> counts;
  term made;
  for (const term& each : operands)
    for (const char c : each.letters) ++counts[c];
  for (const auto& [letter, count] : counts)
    if (count == 1) made.letters += letter;
  made.dots_at = 0;
  return made;
}

void check_result(const term& result, const std::vector<term>& operands, int dotted, call_site here) {
  for (const char c : result.letters) {
    if (std::ranges::count(result.letters, c) > 1)
      refuse(here, "einsum: the result has '", std::string(1, c), "' twice");
    if (std::ranges::none_of(operands, [&](const term& t) { return t.letters.find(c) != std::string::npos; }))
      refuse(here, "einsum: the result has '", std::string(1, c), "', which no operand has");
  }
  if (dotted > 0 && !result.has_dots()) refuse(here, "einsum: operands have axes for '...', which the result has not");
}

}  // namespace

subscripts parse_subscripts(std::string_view text, std::span<const int> ranks, call_site here) {
  const std::size_t arrow = text.find("->");
  const std::vector<std::string_view> pieces = pieces_of(text.substr(0, arrow));
  if (pieces.size() != ranks.size())
    refuse(here, "einsum: '", text, "' names ", pieces.size(), " operands; ", ranks.size(), " are given");
  std::vector<term> operands;
  subscripts made;
  int dotted = 0;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    const term each = parse_term(pieces[k], here);
    const int left = ranks[k] - static_cast<int>(each.letters.size());
    if (left < 0 || (left > 0 && !each.has_dots()))
      refuse(here, "einsum: '", pieces[k], "' names ", each.letters.size(), " axes; operand ", k, " has ", ranks[k]);
    made.operands.push_back(each.has_dots() ? each.expanded(left) : each.letters);
    dotted = std::max(dotted, left);
    operands.push_back(each);
  }
  const term result =
      arrow == std::string_view::npos ? plain_result(operands) : parse_term(text.substr(arrow + 2), here);
  check_result(result, operands, dotted, here);
  made.result = result.has_dots() ? result.expanded(dotted) : result.letters;
  return made;
}

}  // namespace tessera::nd
