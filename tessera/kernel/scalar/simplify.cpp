#include "tessera/kernel/scalar/simplify.h"

namespace tessera::kernels {
namespace {

/// True if every value of type `from` is one of type `to`, so that converting there and back changes nothing.
bool holds(scalar_kind to, scalar_kind from) {
  using namespace type_sets;
  const auto is_signed = [](scalar_kind k) { return contains(range(scalar_kind::int8, scalar_kind::int64), k); };
  const auto size = [](scalar_kind k) { return dtype::make(k).size; };
  if (from == to) return true;
  if (from == scalar_kind::boolean) return true;
  if (contains(integers, from) && contains(integers, to))
    return is_signed(from) == is_signed(to) ? size(from) < size(to) : is_signed(to) && size(from) < size(to);
  if (contains(integers, from) && to == scalar_kind::float64) return size(from) < 8;
  if (contains(integers, from) && to == scalar_kind::float32) return size(from) < 4;
  return contains(floats, from) && contains(wide_floats, to) && size(from) < size(to);
}

bool undoes_itself(opcode operation) {
  return operation == opcode::negate || operation == opcode::logical_not || operation == opcode::bit_not ||
         operation == opcode::conjugate;
}

std::optional<expression::value> simplified_conversion(const expression& body, const scalar_step& step) {
  const expression::value operand = step.operands[0];
  const scalar_step& inner = body.steps()[operand];
  if (inner.type == step.type) return operand;
  if (inner.operation != opcode::convert) return std::nullopt;
  const expression::value first = inner.operands[0];
  // There and back through a type that holds all values.
  const bool returns = body.type_of(first) == step.type && holds(inner.type, step.type);
  return returns ? std::optional(first) : std::nullopt;
}

}  // namespace

std::optional<expression::value> simplified(const expression& body, const scalar_step& step) {
  const auto inner = [&](std::size_t k) -> const scalar_step& { return body.steps()[step.operands[k]]; };
  switch (step.operation) {
    case opcode::convert:
    case opcode::saturate:
      return simplified_conversion(body, step);
    case opcode::select:
      return step.operands[1] == step.operands[2] ? std::optional(step.operands[1]) : std::nullopt;
    case opcode::minimum:
    case opcode::maximum:
    case opcode::nan_minimum:
    case opcode::nan_maximum:
    case opcode::bit_and:
    case opcode::bit_or:
    case opcode::logical_and:
    case opcode::logical_or:
      return step.operands[0] == step.operands[1] ? std::optional(step.operands[0]) : std::nullopt;
    case opcode::real_part:
    case opcode::imaginary_part:
      if (inner(0).operation != opcode::make_complex) return std::nullopt;
      return inner(0).operands[step.operation == opcode::real_part ? 0 : 1];
    default:
      break;
  }
  if (undoes_itself(step.operation) && inner(0).operation == step.operation) return inner(0).operands[0];
  return std::nullopt;
}

}  // namespace tessera::kernels
