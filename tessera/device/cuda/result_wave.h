#pragma once

#include <array>
#include <cstdint>

#include "tessera/device/backend.h"
#include "tessera/device/cuda/private_abi.h"

namespace tessera::device::cuda {

/// What the built-in kernels are told about one private result of one wave of thread blocks, but for addresses. Pure,
/// and made in constant time where the boxes of blocks are affine; otherwise in the time it takes to look at their
/// list.
struct wave_result {
  tessera_slots slots{};
  tessera_combination combination{};
  std::int64_t slot_elements = 0;  ///< The most that a block declares.
  std::int64_t partial_bytes = 0;  ///< For the sums of runs; 0 where there is one run.
  /// Blocks that the combination looks at for all elements together; large only where boxes are listed, or overlap and
  /// depend on several block axes each: such waves are better cut.
  double candidates = 0;
  std::int64_t element_bytes = 1;
};

/// Of the blocks [begin, end). `in_order`: see `launch_desc`.
[[nodiscard]] wave_result plan_wave(const private_result& result, const extents& begin, const extents& end,
                                    bool in_order);

/// Threads for one slot in the kernel that prepares slots: a power of two.
[[nodiscard]] unsigned slot_lanes(const wave_result& wave);

/// True if the combination has so few items, of which 256 fit into shared memory, that the threads of a block share
/// each.
[[nodiscard]] bool has_few_items(const wave_result& wave);

}  // namespace tessera::device::cuda
