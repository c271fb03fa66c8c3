#include "tessera/kernel/index/index_use.h"

#include <algorithm>
#include <map>
#include <set>

#include "tessera/kernel/index/sum.h"

namespace tessera::kernels {
namespace {

bool is_any_of(std::string_view t, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), t) != list.end();
}

// What may stand before and behind a sum without binding tighter than its `+`.
bool may_precede(std::string_view t) {
  return is_any_of(t, {"(",  "=",  ",", ";", "{",      "}",  "[",  "<",  ">",  "<=", ">=", "==", "!=",
                       "&&", "||", "?", ":", "return", "+=", "-=", "*=", "<<", ">>", "&",  "|",  "^"});
}
bool may_follow(std::string_view t) {
  return is_any_of(t, {")",  ";",  ",",  "]",  "}",  "?",  ":", "<", ">", "<=", ">=",
                       "==", "!=", "&&", "||", "<<", ">>", "+", "-", "&", "|",  "^"});
}

/// Works on the kernel's tokens with macros replaced.
class index_finder {
 public:
  /// `text` holds where the tokens of the kernel's text itself begin; others come from macros.
  index_finder(std::vector<token> code, std::set<std::string_view> scalars, std::set<const char*> text)
      : code_(std::move(code)), scalars_(std::move(scalars)), text_(std::move(text)), in_sum_(code_.size(), -1) {}

  index_use run() {
    find_aliases();
    find_sums();
    note_other_uses();
    choose_direct();
    use_.wide_blocks = has_wide_blocks();
    for (std::size_t i = 1; i + 1 < code_.size(); ++i)
      if (is_any_of(code_[i].text, {"<", "<=", ">", ">=", "==", "!="})) note_comparison(i);
    for (const token& t : code_) note_number(t);
    return std::move(use_);
  }

 private:
  struct token_span {
    std::size_t begin;
    std::size_t end;
  };

  void note_number(const token& t) {
    const bool small = t.kind == token_kind::number && t.text.size() <= 2 &&
                       t.text.find_first_not_of("0123456789") == std::string_view::npos;
    if (!small) return;
    const int value = t.text.size() == 1 ? t.text[0] - '0' : (t.text[0] - '0') * 10 + (t.text[1] - '0');
    // One more than the number itself: compilers derive i < n - 1 from end <= n - 2 more often than from end <= n - 1.
    if (value > 0 && value <= 16) use_.margin = std::max(use_.margin, value + 1);
  }

  [[nodiscard]] std::string_view at(std::size_t i) const {
    return i < code_.size() ? code_[i].text : std::string_view{};
  }

  // `int tx = threadIdx.x;` makes tx an alias if nothing else is ever done to tx.
  void find_aliases() {
    std::map<std::string_view, int> declared;
    for (std::size_t i = 0; i + 5 < code_.size(); ++i) {
      if (!code_[i].is_identifier() || at(i + 1) != "=" || i == 0) continue;
      ++declared[at(i)];
      const auto kind = kind_of(at(i + 2));
      const int axis = axis_of(at(i + 4));
      const bool whole = at(i + 3) == "." && (at(i + 5) == ";" || at(i + 5) == ",");
      const bool behind_type = is_narrow_word(at(i - 1)) || is_any_of(at(i - 1), {"auto", "const"}) || at(i - 1) == ",";
      if (kind && axis >= 0 && whole && behind_type) {
        aliases_[at(i)] = {*kind, axis};
        alias_at_.insert(i + 2);
      }
    }
    std::erase_if(aliases_, [&](const auto& entry) { return declared[entry.first] != 1 || is_changed(entry.first); });
    std::erase_if(alias_at_, [&](std::size_t i) { return !aliases_.contains(at(i - 2)); });
  }

  [[nodiscard]] bool is_changed(std::string_view name) const {
    for (std::size_t i = 1; i + 1 < code_.size(); ++i) {
      if (at(i) != name) continue;
      const std::string_view next = at(i + 1);
      const bool assigned = next.size() >= 2 && next.back() == '=' && !is_any_of(next, {"==", "!=", "<=", ">="});
      if (assigned || next == "++" || next == "--" || next == "{" || is_any_of(at(i - 1), {"++", "--", "."}))
        return true;
      if (at(i - 1) == "&" && is_any_of(at(i - 2), {"(", ",", "="})) return true;
      const bool redeclared = (is_narrow_word(at(i - 1)) || is_any_of(at(i - 1), {"float", "double", "auto", "&"})) &&
                              !alias_at_.contains(i + 2);
      if (redeclared) return true;
    }
    return false;
  }

  void find_sums() {
    for (std::size_t i = 1; i < code_.size(); ++i) {
      const auto sum = read_index_sum(code_, i, aliases_);
      if (!sum || !may_precede(at(i - 1)) || !may_follow(at(sum->end))) continue;
      for (std::size_t k = i; k < sum->end; ++k) in_sum_[k] = sum->axis;
      use_.wide = use_.wide || sum->wide;
      wide_sums_ += sum->wide ? 1 : 0;
      note_direct({i, sum->end}, *sum);
      if (at(i - 1) == "=" && i >= 2 && code_[i - 2].is_identifier()) variables_[at(i - 2)] = sum->axis;
      i = sum->end - 1;
    }
  }

  // Whether the type before the variable at `name` is one of 64 bits.
  [[nodiscard]] wide_index declared_type(std::size_t name) const {
    wide_index result = wide_index::none;
    for (std::size_t k = name; k-- > 0;) {
      const bool is_unsigned = is_any_of(at(k), {"size_t", "uint64_t", "unsigned"});
      const bool wide = is_wide_word(at(k));
      if (!wide && !is_any_of(at(k), {"const", "unsigned", "int", "std", "::"})) break;
      if (is_unsigned && (wide || result != wide_index::none)) return wide_index::is_unsigned;
      if (wide) result = wide_index::is_signed;
    }
    return result;
  }

  void note_direct(token_span range, const index_sum& sum) {
    bool is_text = true, is_unsigned = false, is_signed = false;
    for (std::size_t k = range.begin; k < range.end; ++k) {
      is_text = is_text && text_.contains(code_[k].text.data());
      is_unsigned = is_unsigned || is_any_of(at(k), {"size_t", "uint64_t", "unsigned"});
      is_signed = is_signed || is_any_of(at(k), {"int", "signed", "int32_t", "__mul24"});
    }
    const bool begins = at(range.begin - 1) == "=" && is_any_of(at(range.end), {";", ","});
    const wide_index declared = begins ? declared_type(range.begin - 2) : wide_index::none;
    if (!is_text || (!sum.wide && (is_signed || declared == wide_index::none))) return;
    use_.direct.push_back({code_[range.begin], code_[range.end - 1], sum.axis, sum.wide});
    wide_index& type = use_.counted_in[static_cast<std::size_t>(sum.axis)];
    if (type == wide_index::none) type = declared;
    if (type == wide_index::none) type = is_unsigned ? wide_index::is_unsigned : wide_index::is_signed;
  }

  // Beside a wide sum a driver counts beyond 32 bits: all wide ones are replaced, or none.
  void choose_direct() {
    std::erase_if(use_.direct, [&](const direct_sum& d) { return d.wide != use_.wide; });
    if (use_.wide && use_.direct.size() != wide_sums_) use_.direct.clear();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto along = [&](const direct_sum& d) { return d.axis == static_cast<int>(axis); };
      if (std::none_of(use_.direct.begin(), use_.direct.end(), along)) use_.counted_in[axis] = wide_index::none;
    }
  }

  void note_other_uses() {
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (in_sum_[i] >= 0 || alias_at_.contains(i)) continue;
      const bool member = i > 0 && (at(i - 1) == "." || at(i - 1) == "->");
      const auto alias = aliases_.find(at(i));
      if (kind_of(at(i)) && !member) {
        const int axis = at(i + 1) == "." ? axis_of(at(i + 2)) : -1;
        forbid(axis);
      } else if (alias != aliases_.end() && !alias_at_.contains(i + 2)) {
        forbid(alias->second.axis);
      }
    }
  }

  [[nodiscard]] bool has_wide_blocks() const {
    bool any = false;
    for (std::size_t i = 1; i < code_.size(); ++i) {
      const bool member = at(i - 1) == "." || at(i - 1) == "->";
      if (kind_of(at(i)) != index_kind::block || member) continue;
      if (in_sum_[i] >= 0 || alias_at_.contains(i) || !is_widened(i)) return false;
      any = true;
    }
    return any;
  }

  /// "(long long)blockIdx.x", or "long long b = blockIdx.x;" with the block's index at `i`.
  [[nodiscard]] bool is_widened(std::size_t i) const {
    if (i >= 2 && at(i - 1) == "=" && is_any_of(at(i + 3), {";", ","})) return declared_type(i - 2) != wide_index::none;
    bool wide = false;
    std::size_t k = i - 1;
    if (at(k) != ")") return false;
    for (; k > 0 && (is_narrow_word(at(k - 1)) || is_wide_word(at(k - 1))); --k) wide = wide || is_wide_word(at(k - 1));
    return wide && k > 0 && at(k - 1) == "(";
  }

  void forbid(int axis) {
    for (int a = 0; a < 3; ++a)
      if (axis < 0 || a == axis) use_.only_global[static_cast<std::size_t>(a)] = false;
  }

  static bool ends_operand(std::string_view t) {
    return is_any_of(t,
                     {"&&", "||", ",", ";", "{", "}", "?", ":", "=", "return", "!", "<", "<=", ">", ">=", "==", "!="});
  }

  [[nodiscard]] token_span left_of(std::size_t i) const {
    int depth = 0;
    std::size_t k = i;
    for (; k > 0; --k) {
      const std::string_view t = at(k - 1);
      if (t == ")" || t == "]") ++depth;
      if (t == "(" || t == "[") --depth;
      if (depth < 0 || (depth == 0 && ends_operand(t))) break;
    }
    return {k, i};
  }

  [[nodiscard]] token_span right_of(std::size_t i) const {
    int depth = 0;
    std::size_t k = i + 1;
    for (; k < code_.size(); ++k) {
      const std::string_view t = at(k);
      if (t == "(" || t == "[") ++depth;
      if (t == ")" || t == "]") --depth;
      if (depth < 0 || (depth == 0 && ends_operand(t))) break;
    }
    return {i + 1, k};
  }

  void note_comparison(std::size_t i) {
    const token_span left = left_of(i);
    const token_span right = right_of(i);
    if (const int axis = index_axis(left); axis >= 0) note_bound(axis, right);
    if (const int axis = index_axis(right); axis >= 0) note_bound(axis, left);
  }

  // The axis of an operand that is a global index plus or minus numbers, else -1.
  [[nodiscard]] int index_axis(token_span side) const {
    int axis = -1;
    for (std::size_t k = side.begin; k < side.end; ++k) {
      const auto variable = variables_.find(at(k));
      const int here = variable != variables_.end() ? variable->second : in_sum_[k];
      if (here >= 0 && axis >= 0 && here != axis) return -1;
      if (here >= 0) axis = here;
      const bool neutral = code_[k].kind == token_kind::number || is_any_of(at(k), {"+", "-", "(", ")"});
      if (here < 0 && !neutral) return -1;
    }
    return axis;
  }

  void note_bound(int axis, token_span side) {
    std::vector<token>& bound = use_.bounds[static_cast<std::size_t>(axis)];
    if (!bound.empty() || side.begin == side.end) return;
    std::vector<token> tokens(code_.begin() + static_cast<std::ptrdiff_t>(side.begin),
                              code_.begin() + static_cast<std::ptrdiff_t>(side.end));
    bool names_size = false;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      const token& t = tokens[k];
      const bool member = k >= 2 && tokens[k - 1].is(".") && tokens[k - 2].is_identifier();
      const bool scalar = t.is_identifier() && (scalars_.contains(t.text) || member);
      const bool whole_number =
          t.kind == token_kind::number && t.text.find_first_of(".eEpPfF") == std::string_view::npos;
      names_size = names_size || scalar || (whole_number && t.text.size() >= 2);
      const bool safe_division = t.is("/") && k + 1 < tokens.size() && tokens[k + 1].kind == token_kind::number &&
                                 !tokens[k + 1].text.starts_with('0');
      if (!scalar && !whole_number && !safe_division && !is_any_of(t.text, {"+", "-", "*", "(", ")", "."})) return;
    }
    if (!names_size) return;
    const bool shifted = tokens.size() == 3 && tokens[0].is_identifier() && is_any_of(tokens[1].text, {"+", "-"}) &&
                         tokens[2].kind == token_kind::number;
    if (shifted) tokens.resize(1);
    bound = std::move(tokens);
  }

  std::vector<token> code_;
  std::set<std::string_view> scalars_;
  std::set<const char*> text_;
  std::vector<int> in_sum_;  // The axis of the sum that a token belongs to, or -1.
  alias_table aliases_;
  std::set<std::size_t> alias_at_;  // Where the initialisers of aliases start.
  std::map<std::string_view, int> variables_;
  std::size_t wide_sums_ = 0;
  index_use use_;
};

/// The names of parameters that are not pointers.
std::set<std::string_view> scalar_names(const outline& source, const declaration& kernel) {
  std::set<std::string_view> result;
  bool pointer = false;
  for (std::size_t i = kernel.parameters.begin; i < kernel.parameters.end; ++i) {
    const token& t = source.code[i];
    if (t.is("*") || t.is("[")) pointer = true;
    const bool last = i + 1 == kernel.parameters.end || source.code[i + 1].is(",") || source.code[i + 1].is("=");
    if (t.is_identifier() && last && !pointer) result.insert(t.text);
    if (t.is(",")) pointer = false;
  }
  return result;
}

}  // namespace

index_use find_index_use(const outline& source, const declaration& kernel) {
  std::set<const char*> text;
  for (std::size_t i = kernel.body.begin; i < kernel.body.end; ++i) text.insert(source.code[i].text.data());
  return index_finder(expand_macros(source, kernel.body), scalar_names(source, kernel), std::move(text)).run();
}

}  // namespace tessera::kernels
