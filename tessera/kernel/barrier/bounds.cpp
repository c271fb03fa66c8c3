#include "tessera/kernel/barrier/bounds.h"

#include <algorithm>
#include <array>

#include "tessera/kernel/barrier/uses.h"

namespace tessera::kernels {

bool holds_index(const std::string& type) {
  static constexpr std::array<std::string_view, 9> words = {"const", "int",    "unsigned", "long",   "signed",
                                                            "auto",  "size_t", "uint32_t", "int64_t"};
  bool any = false;
  for (const token& t : tokenise(type, "").tokens) {
    if (!is_among(words, t.text)) return false;
    any = true;
  }
  return any;
}

std::optional<index_bound> read_index(const outline& source, token_range range) {
  const std::vector<token>& code = source.code;
  const std::size_t count = range.end - range.begin;
  if ((count != 3 && count != 5) || !code[range.begin].is("threadIdx")) return std::nullopt;
  const std::string_view name = code[range.begin + 2].text;
  if (name.size() != 1 || name[0] < 'x' || name[0] > 'z') return std::nullopt;
  index_bound index;
  index.axis = name[0] - 'x';
  if (count == 3) return index;
  const token& by = code[range.begin + 3];
  const token& number = code[range.begin + 4];
  const bool warp = number.is("32") || number.is("warpSize") || number.is("32u") || number.is("32U");
  const bool quotient = (by.is("/") && warp) || (by.is(">>") && number.is("5"));
  index.remainder = (by.is("%") && warp) || (by.is("&") && (number.is("31") || number.is("0x1f")));
  if (!quotient && !index.remainder) return std::nullopt;
  index.divisor = "32";
  return index;
}

bool bound_reader::is_never_changed(std::string_view name) const {
  for (std::size_t i = body_.begin; i < body_.end; ++i) {
    if (!source_.code[i].is(name)) continue;
    const token& before = source_.code[i - 1];
    const token& next = source_.code[i + 1];
    const bool declared = before.is_identifier() || before.is(",");
    if (before.is("++") || before.is("--") || (before.is("&") && is_unary(source_.code, i - 1))) return false;
    if (is_assignment_operator(next) && !(declared && next.is("="))) return false;
  }
  return true;
}

std::optional<index_bound> bound_reader::read(token_range condition, const declarator* found) const {
  const std::vector<token>& code = source_.code;
  std::size_t i = condition.begin;
  index_bound bound;
  if (condition.end - condition.begin < 3) return std::nullopt;
  std::size_t length = 0;
  for (const std::size_t n : {std::size_t{3}, std::size_t{5}})
    if (i + n < condition.end && read_index(source_, {i, i + n})) length = n;
  if (length > 0) {
    bound = *read_index(source_, {i, i + length});
    bound.type = "unsigned";
    i += length;
  } else if (found != nullptr && found->extents.empty() && !found->is_reference && holds_index(found->type)) {
    const auto of = read_index(source_, found->initial);
    if (!of || !(found->is_const || is_never_changed(code[i].text))) return std::nullopt;
    bound = *of;
    bound.type = found->type.find("auto") == std::string::npos ? found->type : "unsigned";
    ++i;
  } else {
    return std::nullopt;
  }
  static constexpr std::array<std::string_view, 5> relations = {"<", "<=", ">", ">=", "=="};
  if (i + 1 >= condition.end || !is_among(relations, code[i].text)) return std::nullopt;
  bound.relation = code[i].text;
  if (bound.remainder && bound.relation != "==") return std::nullopt;
  bound.limit = {i + 1, condition.end};
  for (std::size_t k = bound.limit.begin; k < bound.limit.end; ++k) {
    static constexpr std::array<std::string_view, 14> lower = {"<", "<=", ">",  ">=", "==", "!=",        "&",
                                                               "|", "^",  "&&", "||", "?",  "threadIdx", ","};
    if (is_among(lower, code[k].text) || is_assignment_operator(code[k])) return std::nullopt;
    const bool call = code[k].is("(") && (code[k - 1].is_identifier() || code[k - 1].is(")"));
    if (call || code[k].is("[") || code[k].is("{")) return std::nullopt;
  }
  return bound;
}

}  // namespace tessera::kernels
