#pragma once

#include "tessera/algo/exec/sort/sort_text.h"

namespace tessera::algo {

/// Block t of a GPU sorts `gpu_tile_elements` elements. For GPUs alone.
[[nodiscard]] kernel_text tile_sort_text(const sort_types& types);
/// Block t of a GPU makes `gpu_tile_elements` elements of the merges of neighbouring runs of `width` elements. For GPUs
/// alone.
[[nodiscard]] kernel_text neighbour_merge_text(const sort_types& types);

}  // namespace tessera::algo
