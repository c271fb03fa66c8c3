#include "tessera/plan/access/expression_builder.h"

#include <algorithm>

#include "tessera/base/checked.h"

namespace tessera::plan {

namespace {

using op = expression::op;

std::int64_t floor_mod(std::int64_t a, std::int64_t k) { return a % k < 0 ? a % k + k : a % k; }

std::int64_t checked_subtract(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_sub_overflow(a, b, &result)) throw argument_error(cat("constant overflows 64 bits: ", a, " - ", b));
  return result;
}

/// Operands open at one time when `code` is run.
int depth_of(std::span<const expression::step> code) {
  int depth = 0;
  int most = 0;
  for (const auto& s : code) {
    depth += s.code == op::constant || s.code == op::name ? 1 : -1;
    most = std::max(most, depth);
  }
  return most;
}

}  // namespace

void expression_builder::constant(std::int64_t value) { push().offset = value; }

void expression_builder::name(int index) {
  if (index < 0 || index >= expression::max_names) throw argument_error(cat("no bound name has the index ", index));
  push().is_constant = false;
  emit(op::name, index);
}

void expression_builder::append(const expression& e) {
  if (e.code().empty()) return constant(0);
  for (const auto& s : e.code()) {
    if (s.code == op::constant)
      constant(s.value);
    else if (s.code == op::name)
      name(static_cast<int>(s.value));
    else
      apply(s.code);
  }
}

void expression_builder::apply(op code) {
  if (depth_ < 2) throw argument_error("malformed expression: an operation lacks an operand");
  term right = pop();
  term& left = stack_[depth_ - 1];
  switch (code) {
    case op::add:
      return add(left, right);
    case op::subtract:
      return subtract(left, right);
    case op::multiply:
      return multiply(left, right);
    case op::divide:
    case op::modulo:
      return divide(left, right, code);
    case op::minimum:
    case op::maximum:
      return choose(left, right, code);
    case op::constant:
    case op::name:
      break;
  }
  throw argument_error("malformed expression: not an operation");
}

expression expression_builder::take() {
  if (depth_ != 1) throw argument_error("malformed expression: operands are left over");
  term last = pop();
  write_offset(last, code_.size());
  if (depth_of(code_) > expression::max_depth) throw argument_error("expression is nested too deeply");
  expression e;
  e.code_.assign(code_.begin(), code_.end());
  code_.clear();
  return e;
}

std::int64_t expression_builder::take_constant() {
  if (depth_ != 1 || !stack_[0].is_constant) throw argument_error("malformed expression: not a constant");
  return pop().offset;
}

void expression_builder::clear() {
  depth_ = 0;
  code_.clear();
}

expression_builder::term& expression_builder::push() {
  if (depth_ == stack_.size()) throw argument_error("expression is nested too deeply");
  return stack_[depth_++] = {.begin = code_.size(), .offset = 0, .is_constant = true};
}

expression_builder::term expression_builder::pop() { return stack_[--depth_]; }

void expression_builder::emit(op code, std::int64_t value) { code_.push_back({code, value}); }

void expression_builder::add(term& left, const term& right) {
  left.offset = checked_add(left.offset, right.offset, "constant");
  if (!left.is_constant && !right.is_constant) emit(op::add);
  left.is_constant = left.is_constant && right.is_constant;
}

void expression_builder::subtract(term& left, const term& right) {
  const std::int64_t offset = checked_subtract(left.offset, right.offset);
  if (left.is_constant && !right.is_constant) {
    left = {.begin = right.begin, .offset = 0, .is_constant = false};
    scale(left, -1);
  } else if (!right.is_constant) {
    emit(op::subtract);
  }
  left.offset = offset;
}

void expression_builder::multiply(term& left, term& right) {
  if (left.is_constant && !right.is_constant) std::swap(left, right);
  if (right.is_constant) return scale(left, right.offset);
  write_both(left, right);
  emit(op::multiply);
}

void expression_builder::divide(term& left, const term& right, op code) {
  const char* const sign = code == op::divide ? "/" : "%";
  if (!right.is_constant) throw argument_error(cat("the right side of `", sign, "` must be constant"));
  const std::int64_t k = right.offset;
  if (k <= 0) throw argument_error(cat("the right side of `", sign, "` must be positive, not ", k));
  const std::int64_t quotient = floor_div(left.offset, k);
  const std::int64_t rest = floor_mod(left.offset, k);
  if (code == op::modulo && left.is_constant) {
    left.offset = rest;
    return;
  }
  if (!left.is_constant && (k > 1 || code == op::modulo)) {  // `%1` stays: a name without values makes it empty
    left.offset = rest;
    write_offset(left, code_.size());
    emit(op::constant, k);
    emit(code);
  }
  left.offset = code == op::divide ? quotient : 0;
}

void expression_builder::choose(term& left, term& right, op code) {
  if (left.is_constant && right.is_constant) {
    left.offset = code == op::minimum ? std::min(left.offset, right.offset) : std::max(left.offset, right.offset);
    return;
  }
  write_both(left, right);
  emit(code);
}

/// Multiplies an operand whose code is the last.
void expression_builder::scale(term& last, std::int64_t factor) {
  last.offset = checked_multiply(last.offset, factor, "constant");
  if (last.is_constant || factor == 1) return;
  if (factor == 0) {
    code_.resize(last.begin);
    last.is_constant = true;
    return;
  }
  if (const std::size_t n = code_.size();
      n >= 3 && code_[n - 1].code == op::multiply && code_[n - 2].code == op::constant) {
    factor = checked_multiply(factor, code_[n - 2].value, "constant");
    code_.resize(n - 2);
    if (factor == 1) return;
  }
  emit(op::constant, factor);
  emit(op::multiply);
}

/// Turns the pending offset of the operand whose code ends at `end` into code.
void expression_builder::write_offset(term& changed, std::size_t end) {
  const auto at = code_.begin() + static_cast<std::ptrdiff_t>(end);
  if (changed.is_constant)
    code_.insert(at, {op::constant, changed.offset});
  else if (changed.offset != 0)
    code_.insert(at, {{op::constant, changed.offset}, {op::add, 0}});
  changed.offset = 0;
  changed.is_constant = false;
}

void expression_builder::write_both(term& left, term& right) {
  write_offset(right, code_.size());
  write_offset(left, right.begin);
}

}  // namespace tessera::plan
