#pragma once

#include <optional>

#include "tessera/kernel/scalar/expression.h"

namespace tessera::kernels {

/// An earlier step of `body` that has the bits of `step` for all operands, if there is one: what a conversion to its
/// own type converts, what is negated twice, the part that a complex number was made of, ... Nothing is reordered, and
/// no sum is taken to be exact.
[[nodiscard]] std::optional<expression::value> simplified(const expression& body, const scalar_step& step);

}  // namespace tessera::kernels
