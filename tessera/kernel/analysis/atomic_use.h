#pragma once

#include <optional>
#include <string_view>

#include "tessera/base/reduction.h"
#include "tessera/kernel/source/outline.h"

namespace tessera::kernels {

/// The operation by which `kernel` combines into what its pointer parameter `name` points to, if it reaches that by
/// CUDA's atomic functions alone, all of one operation, and uses none of the values that they return. Thread blocks may
/// then share memory, or have copies of it that are combined later. Nothing where tokens do not tell.
[[nodiscard]] std::optional<reduce_op> find_atomic_use(const outline& source, const declaration& kernel,
                                                       std::string_view name);

}  // namespace tessera::kernels
