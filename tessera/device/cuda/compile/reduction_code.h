#pragma once

#include <cuda.h>

#include "tessera/device/backend.h"

namespace tessera::device {

/// The kernels of a registered operation in the module of a user's kernel (see registered_kernels.cu).
struct reduction_code {
  CUfunction prepare = nullptr;
  CUfunction combine = nullptr;
  CUfunction combine_few = nullptr;
  CUfunction finish = nullptr;
  CUfunction fold = nullptr;
  CUfunction fill = nullptr;
};

}  // namespace tessera::device
