#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tessera/plan/access/access.h"

namespace tessera::plan {

/// Makes expressions from postfix operations and brings them into a normal form: constants are folded, a constant
/// factor stands right of its `*`, products are distributed over constant summands, and the constant summand comes
/// last. So `T*b` and `T*(b+1)-1` differ in that summand alone, which is how `is_dense` recognises tiles.
/// The form is stable: an expression appended to a builder comes out as it was.
class expression_builder {
 public:
  void constant(std::int64_t value);
  void name(int index);
  void append(const expression& e);
  /// Takes two operands, the right one last. Throws `argument_error` as `expression::combine`; the builder must then
  /// be cleared.
  void apply(expression::op code);

  /// The one operand left, which is removed.
  [[nodiscard]] expression take();
  /// The one operand left, which must be a constant and is removed.
  [[nodiscard]] std::int64_t take_constant();
  void clear();

 private:
  /// Stands for the code from `begin` on plus `offset`, or for `offset` alone.
  struct term {
    std::size_t begin = 0;
    std::int64_t offset = 0;
    bool is_constant = true;
  };

  term& push();
  term pop();
  void emit(expression::op code, std::int64_t value = 0);
  void add(term& left, const term& right);
  void subtract(term& left, const term& right);
  void multiply(term& left, term& right);
  void divide(term& left, const term& right, expression::op code);
  void choose(term& left, term& right, expression::op code);
  void scale(term& last, std::int64_t factor);
  void write_offset(term& changed, std::size_t end);
  void write_both(term& left, term& right);

  std::array<term, expression::max_depth> stack_;
  std::size_t depth_ = 0;
  std::vector<expression::step> code_;
};

}  // namespace tessera::plan
