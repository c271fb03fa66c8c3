#pragma once

#include <string>

#include "tessera/base/dtype.h"

namespace tessera::device::cuda {

/// The texts of the built-in kernels, complete for NVRTC: fill, copy and fold for all types of elements.
[[nodiscard]] std::string general_kernels();

/// What prepares and combines private results, for elements of one kind.
[[nodiscard]] std::string private_kernels(scalar_kind kind);

}  // namespace tessera::device::cuda
