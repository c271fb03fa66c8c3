#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "tessera/base/text.h"
#include "tessera/kernel/scalar/evaluate.h"
#include "tessera/kernel/scalar/print.h"

namespace tessera::support {

inline const std::vector<scalar_kind>& all_kinds() {
  using enum scalar_kind;
  static const std::vector<scalar_kind> list{boolean, int8,    int16,    int32,   int64,   uint8,     uint16,    uint32,
                                             uint64,  float16, bfloat16, float32, float64, complex64, complex128};
  return list;
}

/// An expression of one operation, of parameters that lie in this order: three of its type, an int32, a bool, two parts
/// of a complex number.
struct one_operation {
  std::string label;
  kernels::expression body;
  kernels::expression::value result = 0;
  bool divides = false;  ///< As C++ does: not by zero.

  one_operation(kernels::opcode operation, scalar_kind kind)
      : label(kernels::facts_of(operation).name),
        divides(operation == kernels::opcode::divide || operation == kernels::opcode::remainder) {
    using kernels::opcode;
    const auto own = [&](int place) { return body.parameter(place, kind); };
    if (operation == opcode::select)
      result = body.apply(operation, kind, {body.parameter(4, scalar_kind::boolean), own(0), own(1)});
    else if (operation == opcode::make_complex)
      result = body.apply(operation, kind,
                          {body.parameter(5, kernels::real_kind(kind)), body.parameter(6, kernels::real_kind(kind))});
    else if (operation == opcode::shift_left || operation == opcode::shift_right)
      result = body.apply(operation, kind, {own(0), body.parameter(3, scalar_kind::int32)});
    else if (kernels::facts_of(operation).operands == 1)
      result = body.apply(operation, kind, {own(0)});
    else if (kernels::facts_of(operation).operands == 2)
      result = body.apply(operation, kind, {own(0), own(1)});
    else
      result = body.apply(operation, kind, {own(0), own(1), own(2)});
  }
  one_operation(kernels::opcode conversion, scalar_kind from, scalar_kind to)
      : label(cat(kernels::facts_of(conversion).name, " to ", to_string(dtype::make(to)))) {
    result = body.apply(conversion, to, {body.parameter(0, from)});
  }

  [[nodiscard]] scalar_kind result_kind() const { return body.type_of(result); }
  [[nodiscard]] std::string text(const std::string& name, scalar_kind kind) const {
    const std::string own = kernels::spelling(kind), part = kernels::spelling(kernels::real_kind(kind));
    const std::vector<kernels::printed_parameter> parameters{{own}, {own}, {own}, {"int"}, {"bool"}, {part}, {part}};
    const std::vector<kernels::expression::value> results{result};
    return kernels::print_functor(body, name, parameters, results);
  }
};

/// All operations of a type, and the conversions that it has.
inline std::vector<one_operation> operations_of(scalar_kind kind) {
  using kernels::opcode;
  using namespace kernels::type_sets;
  std::vector<one_operation> list;
  for (int k = static_cast<int>(opcode::select); k <= static_cast<int>(opcode::make_complex); ++k)
    if (kernels::contains(kernels::facts_of(static_cast<opcode>(k)).types, kind))
      list.emplace_back(static_cast<opcode>(k), kind);
  for (const scalar_kind to : all_kinds()) {
    if (to == kind) continue;
    const bool complex = kernels::contains(complexes, kind);
    if (complex && !kernels::contains(complexes | booleans, to)) continue;
    const bool to_integer = kernels::contains(integers, to) && kernels::contains(floats, kind);
    list.emplace_back(to_integer ? opcode::saturate : opcode::convert, kind, to);
  }
  return list;
}

}  // namespace tessera::support
