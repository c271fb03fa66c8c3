#include "tessera/kernel/source/condition.h"

#include <array>
#include <cstdlib>
#include <string>

namespace tessera::kernels {
namespace {

struct binary_operator {
  std::string_view text;
  int precedence;
};
constexpr std::array<binary_operator, 18> binary_operators = {{{"||", 1},
                                                               {"&&", 2},
                                                               {"|", 3},
                                                               {"^", 4},
                                                               {"&", 5},
                                                               {"==", 6},
                                                               {"!=", 6},
                                                               {"<", 7},
                                                               {">", 7},
                                                               {"<=", 7},
                                                               {">=", 7},
                                                               {"<<", 8},
                                                               {">>", 8},
                                                               {"+", 9},
                                                               {"-", 9},
                                                               {"*", 10},
                                                               {"/", 10},
                                                               {"%", 10}}};

constexpr int deepest = 64;

/// Precedence climbing; arithmetic wraps like the preprocessor's in practice.
class evaluator {
 public:
  evaluator(const std::vector<token>& code, const macro_table& macros, int depth, int& budget)
      : code_(code), macros_(macros), depth_(depth), budget_(budget) {}

  std::optional<std::int64_t> run() {
    const std::int64_t value = conditional();
    if (failed_ || at_ != code_.size()) return std::nullopt;
    return value;
  }

 private:
  [[nodiscard]] bool next_is(std::string_view text) const { return at_ < code_.size() && code_[at_].is(text); }
  bool take(std::string_view text) {
    if (!next_is(text)) return false;
    ++at_;
    return true;
  }
  std::int64_t fail() {
    failed_ = true;
    return 0;
  }

  std::int64_t conditional() {
    if (++depth_ > deepest) return fail();
    const std::int64_t condition = binary(1);
    if (!take("?")) return --depth_, condition;
    const std::int64_t yes = conditional();
    if (!take(":")) return fail();
    const std::int64_t no = conditional();
    --depth_;
    return condition != 0 ? yes : no;
  }

  [[nodiscard]] int precedence() const {
    if (at_ < code_.size())
      for (const binary_operator& op : binary_operators)
        if (code_[at_].is(op.text)) return op.precedence;
    return 0;
  }

  std::int64_t binary(int least) {
    std::int64_t left = unary();
    while (!failed_) {
      const int level = precedence();
      if (level < least) break;
      const std::string_view op = code_[at_++].text;
      left = apply(op, left, binary(level + 1));
    }
    return left;
  }

  std::int64_t apply(std::string_view op, std::int64_t a, std::int64_t b) {
    const auto wrap = [](std::uint64_t v) { return static_cast<std::int64_t>(v); };
    const auto ua = static_cast<std::uint64_t>(a);
    const auto ub = static_cast<std::uint64_t>(b);
    if (op == "||") return a != 0 || b != 0;
    if (op == "&&") return a != 0 && b != 0;
    if (op == "|") return a | b;
    if (op == "^") return a ^ b;
    if (op == "&") return a & b;
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    if (op == "<") return a < b;
    if (op == ">") return a > b;
    if (op == "<=") return a <= b;
    if (op == ">=") return a >= b;
    if (op == "<<") return wrap(ua << (ub & 63));
    if (op == ">>") return a >> (ub & 63);
    if (op == "+") return wrap(ua + ub);
    if (op == "-") return wrap(ua - ub);
    if (op == "*") return wrap(ua * ub);
    if (b == 0 || b == -1) return b == 0 ? fail() : op == "/" ? wrap(0 - ua) : 0;
    return op == "/" ? a / b : a % b;
  }

  std::int64_t unary() {
    if (++depth_ > deepest || at_ >= code_.size()) return fail();
    std::int64_t value = 0;
    if (take("!"))
      value = unary() == 0;
    else if (take("-"))
      value = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(unary()));
    else if (take("+"))
      value = unary();
    else if (take("~"))
      value = ~unary();
    else
      value = primary();
    --depth_;
    return value;
  }

  std::int64_t primary() {
    if (--budget_ < 0) return fail();
    if (take("(")) {
      const std::int64_t value = conditional();
      return take(")") ? value : fail();
    }
    const token& t = code_[at_++];
    if (t.kind == token_kind::number) return number(t.text);
    if (!t.is_identifier()) return fail();
    if (t.is("defined")) return defined();
    return expand(t);
  }

  std::int64_t number(std::string_view text) {
    std::string digits;
    for (char c : text)
      if (c != '\'') digits += c;
    char* end = nullptr;
    const bool is_binary = digits.starts_with("0b") || digits.starts_with("0B");
    const auto value = is_binary ? std::strtoull(digits.c_str() + 2, &end, 2) : std::strtoull(digits.c_str(), &end, 0);
    if (std::string_view(end).find_first_not_of("uUlL") != std::string_view::npos) return fail();
    return static_cast<std::int64_t>(value);
  }

  std::int64_t defined() {
    const bool parentheses = take("(");
    if (at_ >= code_.size() || !code_[at_].is_identifier()) return fail();
    const bool known = macros_.contains(code_[at_++].text);
    if (parentheses && !take(")")) return fail();
    return known ? 1 : 0;
  }

  std::int64_t expand(const token& name) {
    if (name.is("true")) return 1;
    if (name.text.starts_with("__has_")) return fail();
    const auto found = macros_.find(name.text);
    if (found == macros_.end()) return next_is("(") ? fail() : 0;
    if (found->second.has_parameters) return fail();
    const auto value = evaluator(found->second.body, macros_, depth_ + 1, budget_).run();
    return value ? *value : fail();
  }

  const std::vector<token>& code_;
  const macro_table& macros_;
  int depth_;
  int& budget_;  // Primaries still allowed: macros can double at every level.
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace

std::optional<std::int64_t> evaluate_condition(const std::vector<token>& expression, const macro_table& macros) {
  int budget = 10'000;
  return evaluator(expression, macros, 0, budget).run();
}

}  // namespace tessera::kernels
