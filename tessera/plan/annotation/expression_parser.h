#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tessera/plan/annotation/lexer.h"
#include "tessera/plan/annotation/syntax.h"

namespace tessera::plan {

/// Reads the expressions of an annotation and knows the names in scope. Names that are neither bound nor lets become
/// constant slots. Borrows both arguments.
class expression_parser {
 public:
  expression_parser(token_stream& tokens, annotation_syntax& target) : tokens_(tokens), target_(target) {}

  expression_syntax parse();
  /// Parses an expression that must not use bound names; `subject` names in messages what must be constant.
  expression_syntax parse_constant(std::string_view subject);

  /// True for words that stand before `(` in expressions.
  [[nodiscard]] static bool is_function(std::string_view word);
  /// True if the name is bound, or stands for an expression.
  [[nodiscard]] bool is_bound(std::string_view name) const;

  void bind_name(const token& name, variable_syntax variable);
  void define_let(const token& name, expression_syntax value);

 private:
  static constexpr int max_nesting = 64;
  static constexpr std::size_t max_constants = 256;
  static constexpr std::size_t max_steps = 1024;         ///< Of one expression, lets inlined.
  static constexpr std::size_t max_total_steps = 32768;  ///< Of all expressions.

  struct let {
    std::string name;
    expression_syntax value;
  };

  // Each appends to code_ and tells whether a bound name occurs.
  bool sum();
  bool product();
  bool factor();
  bool choice(expression::op code);
  bool word();

  void emit(syntax_step step);
  void emit(expression::op code, std::uint32_t at);
  void dotted(const token& name);
  void constant(std::string name, constant_slot::source from, int index, std::uint32_t at);
  void refuse_taken(const token& name) const;
  [[nodiscard]] const let* find_let(std::string_view name) const;

  token_stream& tokens_;
  annotation_syntax& target_;
  std::vector<let> lets_;
  std::vector<syntax_step> code_;
  std::size_t total_ = 0;
  int nesting_ = 0;
};

}  // namespace tessera::plan
