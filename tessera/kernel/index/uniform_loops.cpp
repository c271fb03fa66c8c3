#include "tessera/kernel/index/uniform_loops.h"

#include <algorithm>
#include <array>
#include <optional>

#include "tessera/base/text.h"
#include "tessera/kernel/barrier/statements.h"
#include "tessera/kernel/index/sum.h"

namespace tessera::kernels {
namespace {

class first_turn_reader {
 public:
  first_turn_reader(const outline& source, const std::vector<std::string_view>& scalars)
      : source_(source), code_(source.code), scalars_(scalars) {}

  /// Of the loop `for (T c = FROM; c < TO; ...)` at `at`.
  [[nodiscard]] std::optional<std::string> read(std::size_t at) const {
    const std::size_t open = at + 1;
    if (open >= code_.size() || !code_[open].is("(") || source_.match[open] <= open) return std::nullopt;
    const std::size_t close = source_.match[open];
    const std::size_t first = statement_end(source_, open + 1, close);
    const std::size_t second = statement_end(source_, first, close);
    const auto declared = read_declaration(source_, {open + 1, first});
    if (second >= close || !declared || declared->size() != 1) return std::nullopt;
    const declarator& counter = (*declared)[0];
    static constexpr std::array<std::string_view, 5> comparisons = {"<", "<=", ">", ">=", "!="};
    const bool compared =
        first + 3 < second && code_[first].is(code_[counter.name].text) && is_among(comparisons, code_[first + 1].text);
    if (!compared || !is_integer(counter) || !is_argument({first + 2, second - 1}) || !is_argument(counter.initial))
      return std::nullopt;
    return cat("(", counter.type, ")(", text(counter.initial), ") ", code_[first + 1].text, " (",
               text({first + 2, second - 1}), ")");
  }

 private:
  [[nodiscard]] static bool is_integer(const declarator& d) {
    const token_list words = tokenise(d.type, "");
    return d.extents.empty() && std::all_of(words.tokens.begin(), words.tokens.end(), [](const token& t) {
             return is_narrow_word(t.text) || is_wide_word(t.text) || t.is("const");
           });
  }
  [[nodiscard]] bool is_argument(token_range range) const {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const token& t = code_[i];
      const bool whole = t.kind == token_kind::number && t.text.find('.') == std::string_view::npos;
      const bool sign = t.is("+") || t.is("-") || t.is("*") || t.is("(") || t.is(")");
      if (!whole && !sign && !is_among(scalars_, t.text)) return false;
    }
    return !range.empty();
  }
  [[nodiscard]] std::string text(token_range range) const {
    std::string result;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const auto found = std::find(scalars_.begin(), scalars_.end(), code_[i].text);
      result += found == scalars_.end() ? std::string(code_[i].text) : cat("__tessera_p", found - scalars_.begin());
      result += ' ';
    }
    return result;
  }

  const outline& source_;
  const std::vector<token>& code_;
  const std::vector<std::string_view>& scalars_;
};

}  // namespace

std::vector<std::string> first_turns(const outline& source, const declaration& kernel,
                                     const std::vector<std::string_view>& scalars) {
  constexpr std::size_t most = 4;
  std::vector<std::string> result;
  for (std::size_t i = kernel.body.begin; i < kernel.body.end && result.size() < most; ++i) {
    if (!source.code[i].is("for")) continue;
    const auto turn = first_turn_reader(source, scalars).read(i);
    if (turn && !is_among(result, *turn)) result.push_back(*turn);
  }
  return result;
}

}  // namespace tessera::kernels
