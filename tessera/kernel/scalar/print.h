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

/// What stands in front of printed expressions with values of these types: functions that CUDA does not have, and its
/// headers for numbers of 16 bits.
[[nodiscard]] std::string scalar_prelude(type_set types);

}  // namespace tessera::kernels
