#pragma once

#include <string>
#include <utility>

#include "tessera/algo/exec/call.h"
#include "tessera/array/context.h"

namespace tessera::algo {

/// The elements that one thread block of a stencil computes, for two axes and more: `width` on the last axis, `rows` on
/// the one before it and, of three axes, `planes` on the first. Kernels have the numbers as parameters.
struct stencil_tile {
  std::int64_t width = 1, rows = 1, planes = 1;
  std::int64_t shift = 0;  ///< On the first of the two or three axes: how many elements of the first tile are left out.
  std::int64_t threads = 1;
};

/// A row in a context of CPUs, whose loops go along it. For GPUs a part of a row or plane whose threads go through
/// several of them, so that neighbours are found in the cache of a multiprocessor; tiles begin at multiples of their
/// size in the container, where containers are cut.
[[nodiscard]] stencil_tile tile_of(const context& ctx, const extents& shape, const region_frame& frame);

/// True if the kernel of a call with so many axes has tiles.
[[nodiscard]] inline bool has_tiles(const call& bound, int axes) { return bound.regions != nullptr && axes >= 2; }

/// The parameters for a tile, and the arguments for them.
[[nodiscard]] std::string tile_parameters();
void add_tile_arguments(const stencil_tile& tile, std::vector<argument>& arguments);
/// The first and the last element of a thread block on `axis` of `rank`, in an annotation that begins with
/// `tile_block`.
[[nodiscard]] std::pair<std::string, std::string> tile_range(int axis, int rank);
[[nodiscard]] std::string tile_block(int rank);

}  // namespace tessera::algo
