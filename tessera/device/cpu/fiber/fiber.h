#pragma once

#include "tessera/device/cpu/jit/abi.h"

namespace tessera::device {

/// Runs the threads of one block as fibers of the calling OS thread, for kernels whose barriers cannot be split away.
/// Fibers run round robin, each until its next barrier or its end, and switch directly to the next one; ended fibers do
/// not hold up a barrier. A warp barrier opens once every live fiber of the warp stands at it or at a block barrier.
/// Outside of `run` barriers do nothing. `run` does not nest. Bodies must not throw.
[[nodiscard]] const tessera_fiber_services& fiber_services() noexcept;

}  // namespace tessera::device
