#include "tessera/plan/annotation/expression_parser.h"

#include <algorithm>

#include "tessera/base/text.h"

namespace tessera::plan {

namespace {

using op = expression::op;
using kind = syntax_step::kind;

/// Operands open at one time when `code` is run.
int depth_of(const std::vector<syntax_step>& code) {
  int depth = 0;
  int most = 0;
  for (const auto& s : code) {
    depth += s.type == kind::operation ? -1 : 1;
    most = std::max(most, depth);
  }
  return most;
}

int axis_of(std::string_view text) { return text == "x" ? 0 : text == "y" ? 1 : text == "z" ? 2 : -1; }

}  // namespace

expression_syntax expression_parser::parse() {
  code_.clear();
  expression_syntax e;
  e.begin = tokens_.peek().at;
  e.uses_names = sum();
  e.end = tokens_.end_of_previous();
  if (depth_of(code_) > expression::max_depth) tokens_.fail(e.begin, "this expression is nested too deeply");
  total_ += code_.size();
  if (total_ > max_total_steps) tokens_.fail(e.begin, "the annotation is too long once its lets are inserted");
  e.code.assign(code_.begin(), code_.end());
  return e;
}

expression_syntax expression_parser::parse_constant(std::string_view subject) {
  expression_syntax e = parse();
  if (e.uses_names) tokens_.fail(e.begin, cat("expected a constant: ", subject, " cannot depend on a bound name"));
  return e;
}

bool expression_parser::is_function(std::string_view word) { return word == "min" || word == "max" || word == "wrap"; }

bool expression_parser::is_bound(std::string_view name) const {
  return std::ranges::find(target_.names, name) != target_.names.end() || find_let(name) != nullptr;
}

void expression_parser::bind_name(const token& name, variable_syntax variable) {
  refuse_taken(name);
  if (target_.names.size() >= expression::max_names) tokens_.fail(name.at, "too many bound names");
  target_.names.emplace_back(name.text);
  target_.variables.push_back(std::move(variable));
}

void expression_parser::define_let(const token& name, expression_syntax value) {
  refuse_taken(name);
  lets_.push_back({std::string(name.text), std::move(value)});
}

bool expression_parser::sum() {
  bool uses_names = product();
  while (tokens_.at_symbol("+") || tokens_.at_symbol("-")) {
    const token sign = tokens_.next();
    uses_names = product() || uses_names;
    emit(sign.text == "+" ? op::add : op::subtract, sign.at);
  }
  return uses_names;
}

bool expression_parser::product() {
  bool uses_names = factor();
  while (tokens_.at_symbol("*") || tokens_.at_symbol("/") || tokens_.at_symbol("%")) {
    const token sign = tokens_.next();
    const std::uint32_t right_at = tokens_.peek().at;
    const bool right_uses = factor();
    if (sign.text == "*" && uses_names && right_uses)
      tokens_.fail(sign.at, "expected a constant on one side of `*`: both depend on bound names");
    if (sign.text != "*" && right_uses)
      tokens_.fail(right_at, cat("expected a constant on the right side of `", sign.text, "`"));
    emit(sign.text == "*" ? op::multiply : sign.text == "/" ? op::divide : op::modulo, sign.at);
    uses_names = uses_names || right_uses;
  }
  return uses_names;
}

bool expression_parser::factor() {
  const token t = tokens_.peek();
  if (++nesting_ > max_nesting) tokens_.fail(t.at, "this expression is nested too deeply");
  bool uses_names = false;
  if (tokens_.accept("(")) {
    uses_names = sum();
    tokens_.expect(")");
  } else if (tokens_.accept("-")) {
    emit({.type = kind::literal, .value = 0, .at = t.at});
    uses_names = factor();
    emit(op::subtract, t.at);
  } else if (t.type == token::kind::integer) {
    emit({.type = kind::literal, .value = tokens_.next().value, .at = t.at});
  } else if (t.type == token::kind::word) {
    uses_names = word();
  } else {
    tokens_.fail_expected("a name, a number, `min(`, `max(`, `-` or `(`");
  }
  --nesting_;
  return uses_names;
}

/// min(a, b, ...) behind its name.
bool expression_parser::choice(op code) {
  const std::uint32_t at = tokens_.peek().at;
  tokens_.expect("(");
  bool uses_names = sum();
  do {
    tokens_.expect(",");
    uses_names = sum() || uses_names;
    emit(code, at);
  } while (tokens_.at_symbol(","));
  tokens_.expect(")");
  return uses_names;
}

bool expression_parser::word() {
  const token name = tokens_.next();
  if (tokens_.at_symbol("(")) {
    if (name.text == "min") return choice(op::minimum);
    if (name.text == "max") return choice(op::maximum);
    if (name.text == "wrap") tokens_.fail(name.at, "`wrap` is not supported yet by this version");
    tokens_.fail(name.at, cat("expected `min` or `max`: there is no function `", name.text,
                              "`, and a table of intervals is an index of its own, no part of an expression"));
  }
  if (name.text == "_") tokens_.fail(name.at, "`_` leaves an axis unnamed and has no value");
  if (tokens_.at_symbol(".")) {
    dotted(name);
    return false;
  }
  const auto bound = std::ranges::find(target_.names, name.text);
  if (bound != target_.names.end()) {
    emit({.type = kind::name, .value = bound - target_.names.begin(), .at = name.at});
    return true;
  }
  if (const let* l = find_let(name.text)) {
    for (syntax_step s : l->value.code) {
      s.at = name.at;
      emit(s);
    }
    return l->value.uses_names;
  }
  constant(std::string(name.text), constant_slot::source::launch, 0, name.at);
  return false;
}

void expression_parser::emit(syntax_step step) {
  if (code_.size() >= max_steps) tokens_.fail(step.at, "this expression is too long once its lets are inserted");
  code_.push_back(step);
}

void expression_parser::emit(op code, std::uint32_t at) {
  emit({.type = kind::operation, .operation = code, .value = 0, .at = at});
}

/// blockDim.x and its like, behind the first word.
void expression_parser::dotted(const token& name) {
  tokens_.expect(".");
  const token field = tokens_.expect_word("a name after `.`");
  const int axis = axis_of(field.text);
  if (name.text == "threadIdx" || name.text == "blockIdx")
    tokens_.fail(name.at, cat("`", name.text, "` is not a constant: bind a name with `",
                              name.text == "blockIdx" ? "block b" : "local t", " =>` and use that"));
  if (name.text != "blockDim" && name.text != "gridDim")
    tokens_.fail(name.at, cat("fields of structures (`", name.text, ".", field.text,
                              "`) are not supported yet by this version"));
  if (axis < 0) tokens_.fail(field.at, cat("expected `x`, `y` or `z` after `", name.text, ".`"));
  constant(cat(name.text, ".", field.text),
           name.text == "blockDim" ? constant_slot::source::block_dim : constant_slot::source::grid_dim, axis, name.at);
}

void expression_parser::constant(std::string name, constant_slot::source from, int index, std::uint32_t at) {
  auto& slots = target_.constants;
  auto slot = std::ranges::find(slots, name, &constant_slot::name);
  if (slot == slots.end() && slots.size() == max_constants) tokens_.fail(at, "the annotation uses too many constants");
  if (slot == slots.end()) slot = slots.insert(slots.end(), {std::move(name), from, index});
  emit({.type = kind::constant, .value = slot - slots.begin(), .at = at});
}

void expression_parser::refuse_taken(const token& name) const {
  if (is_bound(name.text)) tokens_.fail(name.at, cat("`", name.text, "` is already bound"));
  if (std::ranges::find(target_.constants, name.text, &constant_slot::name) != target_.constants.end())
    tokens_.fail(name.at, cat("`", name.text, "` is used before it is bound here"));
}

const expression_parser::let* expression_parser::find_let(std::string_view name) const {
  const auto l = std::ranges::find(lets_, name, &let::name);
  return l == lets_.end() ? nullptr : &*l;
}

}  // namespace tessera::plan
