#pragma once

#include <memory>

#include "tessera/nd/fuse/reduction_functions.h"
#include "tessera/nd/small.h"

namespace tessera::nd {

/// Carries out a reduction of a host value, at least one element per result, at once: with the order, and the bits,
/// that kernels have.
[[nodiscard]] std::shared_ptr<host_value> reduce_here(const host_operand& from, const reduction& wanted);

}  // namespace tessera::nd
