#pragma once

#include <string>

#include "tessera/base/dtype.h"

namespace tessera::device::cuda {

/// The texts of the built-in kernels, complete for NVRTC: fill, copy and fold for all types of elements.
[[nodiscard]] std::string general_kernels();

/// What prepares and combines private results, for elements of one kind.
[[nodiscard]] std::string private_kernels(scalar_kind kind);

/// What stands in front of a kernel whose module combines elements by registered operations: namespace
/// `__tessera_private`, and the macro `__tessera_reduction_kernels` (registered_kernels.cu). In front of whatever gives
/// `blockIdx` and `gridDim` another meaning.
[[nodiscard]] std::string registered_kernels();

}  // namespace tessera::device::cuda
