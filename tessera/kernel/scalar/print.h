#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tessera/kernel/scalar/expression.h"

namespace tessera::kernels {

/// A parameter of a printed function.
struct printed_parameter {
  std::string type;  ///< As the text spells it.
  int axes = 0;      ///< Of a region, whose neighbours are called with as many offsets; else 0.
};

/// The text of a struct `name` whose members are the numbers of `body` and whose call operator computes `results`: CUDA
/// that is also C++ for CPUs. Several results are returned as a `tessera::tuple`. What no result needs is left out.
[[nodiscard]] std::string print_functor(const expression& body, std::string_view name,
                                        std::span<const printed_parameter> parameters,
                                        std::span<const expression::value> results);

/// The text of a struct `name` whose members c0, c1, ... are the numbers of `body`, laid out like its state.
[[nodiscard]] std::string print_numbers(const expression& body, std::string_view name);
/// Statements, each on a line of its own behind `indent`, that compute `results` as variables (`result_name`) from the
/// variables p0, p1, ... for parameters and the members of `numbers`, a struct of `print_numbers`.
[[nodiscard]] std::string print_statements(const expression& body, std::span<const expression::value> results,
                                           std::string_view numbers, std::string_view indent);
/// The variable that `print_statements` gives a step.
[[nodiscard]] std::string result_name(expression::value step);

/// What stands in front of printed expressions with values of these types: functions that CUDA does not have, and its
/// headers for numbers of 16 bits.
[[nodiscard]] std::string scalar_prelude(type_set types);

}  // namespace tessera::kernels
