#pragma once

#include <optional>
#include <vector>

#include "tessera/base/reduction.h"
#include "tessera/kernel/source/outline.h"

namespace tessera::kernels {

/// A call `atomicAdd(&p[i], v);` of the kernel's text whose value is not used.
struct accumulation {
  std::size_t call;       ///< Position of `atomicAdd`, in `outline::code`.
  std::string_view name;  ///< The parameter.
  reduce_op op;           ///< add, min or max.
  /// The number of the element, as it is written: "0" of `atomicAdd(p, v)`; empty if it is no plain number.
  std::string_view element;
};

/// The calls through which a kernel reaches the parameter `name`, if it reaches it by such calls alone, all of one
/// operation: memory that begins with the identity and is combined later serves as well. Empty if it does anything
/// else with it, or nothing. Decided on tokens; where in doubt, empty.
[[nodiscard]] std::vector<accumulation> find_accumulations(const outline& source, const declaration& kernel,
                                                           std::string_view name);

}  // namespace tessera::kernels
