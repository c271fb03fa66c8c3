#include "tessera/kernel/index_pattern.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "tessera/kernel/reach.h"

namespace tessera::kernels {
namespace {

enum class index_kind : std::uint8_t { thread, block, block_size };
struct index_atom {
  index_kind kind;
  int axis;
};
using alias_table = std::map<std::string_view, index_atom>;

int axis_of(std::string_view member) { return member == "x" ? 0 : member == "y" ? 1 : member == "z" ? 2 : -1; }

std::optional<index_kind> kind_of(std::string_view word) {
  if (word == "threadIdx") return index_kind::thread;
  if (word == "blockIdx") return index_kind::block;
  if (word == "blockDim") return index_kind::block_size;
  return std::nullopt;
}

bool is_narrow_word(std::string_view t) {
  return t == "int" || t == "unsigned" || t == "signed" || t == "uint" || t == "int32_t" || t == "uint32_t";
}
bool is_wide_word(std::string_view t) {
  return t == "long" || t == "size_t" || t == "int64_t" || t == "uint64_t" || t == "ptrdiff_t" || t == "ssize_t";
}

/// Reads sums of the form blockIdx.D * blockDim.D + threadIdx.D, whatever the order. Every reader returns whether it
/// succeeded and moves on only then.
class sum_reader {
 public:
  sum_reader(std::span<const token> code, const alias_table& aliases) : code_(code), aliases_(aliases) {}

  struct sum {
    std::size_t end;
    int axis;
    bool wide;
  };

  std::optional<sum> read(std::size_t begin) {
    at_ = begin;
    wide_ = false;
    std::vector<index_atom> first;
    std::vector<index_atom> second;
    if (!term(first) || !take("+") || !term(second)) return std::nullopt;
    const std::vector<index_atom>& product = first.size() == 2 ? first : second;
    const std::vector<index_atom>& single = first.size() == 2 ? second : first;
    if (product.size() != 2 || single.size() != 1 || single[0].kind != index_kind::thread) return std::nullopt;
    const bool block_and_size = product[0].kind != product[1].kind && product[0].kind != index_kind::thread &&
                                product[1].kind != index_kind::thread;
    if (!block_and_size || product[0].axis != single[0].axis || product[1].axis != single[0].axis) return std::nullopt;
    return sum{at_, single[0].axis, wide_};
  }

 private:
  [[nodiscard]] std::string_view peek(std::size_t ahead = 0) const {
    return at_ + ahead < code_.size() ? code_[at_ + ahead].text : std::string_view{};
  }
  bool take(std::string_view text) {
    if (peek() != text) return false;
    ++at_;
    return true;
  }

  // threadIdx.x, a product, or one of them in parentheses behind casts that keep 32 bits.
  bool term(std::vector<index_atom>& out) {
    const std::size_t start = at_;
    const bool was_wide = wide_;
    if (plain_term(out)) return true;
    out.clear();
    at_ = start;
    wide_ = was_wide;
    casts();
    const bool widened = wide_ != was_wide;
    if (widened || !take("(") || !plain_term(out) || !take(")")) return false;
    return true;
  }

  bool plain_term(std::vector<index_atom>& out) {
    if (peek() == "__mul24" || peek() == "__umul24") {
      ++at_;
      return take("(") && factor(out) && take(",") && factor(out) && take(")");
    }
    if (!factor(out)) return false;
    return !take("*") || factor(out);
  }

  bool factor(std::vector<index_atom>& out) {
    if (++depth_ > deepest) return --depth_, false;
    casts();
    const bool parentheses = take("(");
    const bool good = (parentheses ? factor(out) && take(")") : atom(out)) && finish_casts();
    --depth_;
    return good;
  }

  bool atom(std::vector<index_atom>& out) {
    if (const auto kind = kind_of(peek()); kind && peek(1) == "." && axis_of(peek(2)) >= 0) {
      out.push_back({*kind, axis_of(peek(2))});
      at_ += 3;
      return true;
    }
    const auto alias = aliases_.find(peek());
    if (alias == aliases_.end() || peek(1) == "." || peek(1) == "(") return false;
    out.push_back(alias->second);
    ++at_;
    return true;
  }

  // (int), (size_t), static_cast<long long>( : any number of them. `int(x)` counts as well.
  void casts() {
    while (true) {
      const std::size_t start = at_;
      const bool is_static = peek() == "static_cast";
      if (is_static ? peek(1) != "<" : peek() != "(") return;
      at_ += is_static ? 2 : 1;
      bool wide = false;
      std::size_t words = 0;
      for (; is_narrow_word(peek()) || is_wide_word(peek()); ++words, ++at_) wide = wide || is_wide_word(peek());
      const bool closed = words > 0 && (is_static ? take(">") && take("(") : take(")"));
      if (!closed) {
        at_ = start;
        return;
      }
      if (is_static) ++open_casts_;
      wide_ = wide_ || wide;
    }
  }
  bool finish_casts() {
    for (; open_casts_ > 0; --open_casts_)
      if (!take(")")) return open_casts_ = 0, false;
    return true;
  }

  static constexpr int deepest = 16;
  std::span<const token> code_;
  const alias_table& aliases_;
  std::size_t at_ = 0;
  int open_casts_ = 0;
  int depth_ = 0;
  bool wide_ = false;
};

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
  index_finder(std::vector<token> code, std::set<std::string_view> scalars)
      : code_(std::move(code)), scalars_(std::move(scalars)), in_sum_(code_.size(), -1) {}

  index_use run() {
    find_aliases();
    find_sums();
    note_other_uses();
    for (std::size_t i = 1; i + 1 < code_.size(); ++i)
      if (is_any_of(code_[i].text, {"<", "<=", ">", ">=", "==", "!="})) note_comparison(i);
    for (const token& t : code_) note_number(t);
    return std::move(use_);
  }

 private:
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
    sum_reader reader(code_, aliases_);
    for (std::size_t i = 1; i < code_.size(); ++i) {
      const auto sum = reader.read(i);
      if (!sum || !may_precede(at(i - 1)) || !may_follow(at(sum->end))) continue;
      for (std::size_t k = i; k < sum->end; ++k) in_sum_[k] = sum->axis;
      use_.wide = use_.wide || sum->wide;
      if (at(i - 1) == "=" && i >= 2 && code_[i - 2].is_identifier()) variables_[at(i - 2)] = sum->axis;
      i = sum->end - 1;
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

  void forbid(int axis) {
    for (int a = 0; a < 3; ++a)
      if (axis < 0 || a == axis) use_.only_global[static_cast<std::size_t>(a)] = false;
  }

  struct operand {
    std::size_t begin;
    std::size_t end;
  };

  static bool ends_operand(std::string_view t) {
    return is_any_of(t,
                     {"&&", "||", ",", ";", "{", "}", "?", ":", "=", "return", "!", "<", "<=", ">", ">=", "==", "!="});
  }

  [[nodiscard]] operand left_of(std::size_t i) const {
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

  [[nodiscard]] operand right_of(std::size_t i) const {
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
    const operand left = left_of(i);
    const operand right = right_of(i);
    if (const int axis = index_axis(left); axis >= 0) note_bound(axis, right);
    if (const int axis = index_axis(right); axis >= 0) note_bound(axis, left);
  }

  // The axis of an operand that is a global index plus or minus numbers, else -1.
  [[nodiscard]] int index_axis(operand side) const {
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

  void note_bound(int axis, operand side) {
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
  std::vector<int> in_sum_;  // The axis of the sum that a token belongs to, or -1.
  alias_table aliases_;
  std::set<std::size_t> alias_at_;  // Where the initialisers of aliases start.
  std::map<std::string_view, int> variables_;
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
  return index_finder(expand_macros(source, kernel.body), scalar_names(source, kernel)).run();
}

}  // namespace tessera::kernels
