#include "tessera/kernel/source/macro_calls.h"

#include <algorithm>
#include <map>

#include "tessera/kernel/source/outline.h"

namespace tessera::kernels {
namespace {

/// Replaces macros with their arguments.
class call_expander {
 public:
  explicit call_expander(const macro_table& macros) : macros_(macros) {}

  /// False if the tokens cannot be expanded.
  bool append(const std::vector<token>& tokens, int depth = 0) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const auto found = tokens[i].is_identifier() ? macros_.find(tokens[i].text) : macros_.end();
      const bool known = found != macros_.end() && std::find(open_.begin(), open_.end(), &found->second) == open_.end();
      const bool called = i + 1 < tokens.size() && tokens[i + 1].is("(");
      if (!known || (found->second.has_parameters && !called)) {
        out.push_back(tokens[i]);
        if (out.size() > longest) return false;
        continue;
      }
      if (depth > deepest) return false;
      std::vector<token> body = found->second.body;
      if (found->second.has_parameters && !bind(found->second, tokens, i, body)) return false;
      const auto last = body.empty() ? macros_.end() : macros_.find(body.back().text);
      if (last != macros_.end() && last->second.has_parameters) return false;  // its arguments stand behind
      open_.push_back(&found->second);
      const bool done = append(body, depth + 1);
      open_.pop_back();
      if (!done) return false;
    }
    return true;
  }

  std::vector<token> out;

 private:
  static constexpr int deepest = 16;
  static constexpr std::size_t longest = 100'000;

  /// Puts the arguments of the call at `i`, which is left at its end, into `body`.
  static bool bind(const macro& m, const std::vector<token>& tokens, std::size_t& i, std::vector<token>& body) {
    std::vector<std::vector<token>> arguments(1);
    int depth = 0;
    for (++i; i < tokens.size(); ++i) {
      const token& t = tokens[i];
      const int step = t.is("(") || t.is("[") || t.is("{") ? 1 : t.is(")") || t.is("]") || t.is("}") ? -1 : 0;
      depth += step;
      if (depth == 0) break;
      if (depth == 1 && step > 0) continue;  // the first parenthesis
      if (depth == 1 && t.is(","))
        arguments.emplace_back();
      else
        arguments.back().push_back(t);
    }
    if (m.parameters.empty() && arguments.front().empty()) arguments.clear();
    if (depth != 0 || i >= tokens.size() || arguments.size() != m.parameters.size()) return false;
    std::vector<token> bound;
    for (const token& t : body) {
      const auto at = std::find(m.parameters.begin(), m.parameters.end(), t.text);
      if (t.is("#") || t.is("##") || t.is("...")) return false;
      if (at == m.parameters.end()) {
        bound.push_back(t);
        continue;
      }
      const std::vector<token>& argument = arguments[static_cast<std::size_t>(at - m.parameters.begin())];
      bound.insert(bound.end(), argument.begin(), argument.end());
    }
    body = std::move(bound);
    return true;
  }

  const macro_table& macros_;
  std::vector<const macro*> open_;  // those whose bodies are being appended: not replaced again, as in C
};

}  // namespace

std::optional<std::vector<token>> expand_calls(const outline& source, token_range range) {
  call_expander e(source.macros);
  const std::size_t end = std::min(range.end, source.code.size());
  const std::size_t begin = std::min(range.begin, end);
  const auto first = source.code.begin();
  if (!e.append({first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end)}))
    return std::nullopt;
  return std::move(e.out);
}

}  // namespace tessera::kernels
