#include "tessera/algo/exec/stencil/tile.h"

#include <algorithm>
#include <bit>

#include "tessera/algo/exec/call_text.h"
#include "tessera/algo/exec/map_text.h"
#include "tessera/base/checked.h"
#include "tessera/base/text.h"
#include "tessera/plan/machine.h"
#include "tessera/runtime/engine.h"

namespace tessera::algo {
namespace {

constexpr std::int64_t gpu_threads = 256;
constexpr std::int64_t enough_blocks = 2048;  // for the multiprocessors of a GPU

std::int64_t tiles(const extents& shape, const stencil_tile& tile) {
  const int rank = shape.rank();
  std::int64_t count = ceil_div(shape[rank - 1], tile.width) * ceil_div(shape[rank - 2], tile.rows);
  if (rank == 3) count *= ceil_div(shape[0], tile.planes);
  if (rank == 4) count *= shape[0] * shape[1];
  return count;
}

/// Halves `size` while there are too few tiles.
void shorten(const extents& shape, stencil_tile& tile, std::int64_t& size, std::int64_t least) {
  while (size / 2 >= least && tiles(shape, tile) < enough_blocks) size /= 2;
}

/// The most that divides what each of several devices has of the first axis: a launch is then cut where containers are.
void keep_cuts(std::int64_t elements, std::int64_t devices, std::int64_t& size, std::int64_t least) {
  while (devices > 1 && size / 2 >= least && elements % (devices * size) != 0) size /= 2;
}

stencil_tile gpu_tile(const extents& shape, const region_frame& frame, std::int64_t devices) {
  const int rank = shape.rank();
  const auto at_most = [](std::int64_t n, std::int64_t most) {
    return std::min(most, static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(n))));
  };
  stencil_tile tile;
  tile.threads = gpu_threads;
  // Threads beside each other on the last axis, the others below them.
  tile.width = at_most(shape[rank - 1], rank == 2 || shape[rank - 2] == 1 ? gpu_threads : gpu_threads / 4);
  const std::int64_t below = gpu_threads / tile.width;
  if (rank == 3) {
    tile.rows = below;
    tile.planes = at_most(shape[0], 8);
    shorten(shape, tile, tile.planes, 1);
    keep_cuts(frame.whole[0], devices, tile.planes, 1);
    tile.shift = frame.part.lo[0] % tile.planes;
  } else {
    tile.rows = below * at_most(ceil_div(shape[rank - 2], below), 8);
    shorten(shape, tile, tile.rows, below);
    if (rank == 2) keep_cuts(frame.whole[0], devices, tile.rows, 1);
    if (rank == 2) tile.shift = frame.part.lo[0] % tile.rows;
  }
  return tile;
}

}  // namespace

stencil_tile tile_of(const context& ctx, const extents& shape, const region_frame& frame) {
  const plan::machine_table& machine = ctx.engine()->machine();
  // Small blocks where the limit for small launches is off, so that also tiny containers are shared by all devices.
  const bool are_small = machine.settings().small == 0;
  if (!are_small && machine.automatic_kind() == "cuda")
    return gpu_tile(shape, frame, std::ssize(machine.automatic_devices()));
  stencil_tile tile;
  tile.threads =
      std::clamp<std::int64_t>(ceil_div(shape[shape.rank() - 1], elements_per_thread), 1, are_small ? 1 : gpu_threads);
  tile.width = tile.threads * elements_per_thread;
  return tile;
}

std::string tile_parameters() { return ", long long width, long long rows, long long planes, long long shift"; }

void add_tile_arguments(const stencil_tile& tile, std::vector<argument>& arguments) {
  for (const std::int64_t n : {tile.width, tile.rows, tile.planes, tile.shift}) arguments.push_back(number_argument(n));
}

std::pair<std::string, std::string> tile_range(int axis, int rank) {
  if (axis == rank - 1) return {"lo", "hi"};
  if (rank == 2) return {"rows * y - shift", "rows * y - shift + rows - 1"};
  if (axis == rank - 2) return {"rows * y", "rows * y + rows - 1"};
  if (rank == 3) return {"planes * z - shift", "planes * z - shift + planes - 1"};
  const std::string at = axis == 0 ? "z / n1" : "z % n1";
  return {at, at};
}

std::string tile_block(int rank) {
  return cat("block ", rank == 2 ? "[b, y]" : "[b, y, z]", ", lo = width * b, hi = width * b + width - 1 => ");
}

}  // namespace tessera::algo
