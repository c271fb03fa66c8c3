#pragma once

#include <array>
#include <string>
#include <vector>

namespace tessera::kernels {

/// What a kernel and the functions it reaches use; decided on tokens, and where in doubt for the answer that keeps
/// results right.
struct feature_set {
  bool barriers = false;        ///< Waits for the other threads of its block.
  bool warp_functions = false;  ///< Shuffles, votes, `__syncwarp`.
  bool static_shared = false;   ///< `__shared__` of a size known when compiled.
  bool extern_shared = false;   ///< `extern __shared__`.
  bool atomics = false;
  bool indexed_helpers = false;  ///< Functions besides the kernel mention threadIdx, blockIdx, blockDim or gridDim.
  bool recursion = false;
  bool inline_assembly = false;
  bool whole_rows = false;   ///< A text for CPUs: one call does the work of a row of thread blocks (`parse_cpu_text`).
  bool wide_index = false;   ///< Indices in the grid are computed in 64 bits.
  bool grid_stride = false;  ///< Its threads do nothing but walk along x in steps of the grid (`find_grid_stride`).
  bool strips = false;       ///< Neighbouring threads take the turns of some loop together (`add_strips`).
  /// Per axis (x, y, z): threadIdx, blockIdx and blockDim occur only as blockIdx.D * blockDim.D + threadIdx.D, and
  /// nothing ties the threads of a block together, so that any block size gives the same result. With
  /// `grid_stride` blockDim.x may be the step's part besides.
  std::array<bool, 3> reblockable = {false, false, false};

  /// Why a kernel that `needs_block()` cannot be cut at its barriers; empty if it can.
  std::string unsplit;

  /// Threads of a block work together.
  [[nodiscard]] bool needs_block() const { return barriers || warp_functions || static_shared || extern_shared; }
  [[nodiscard]] bool any_block() const { return reblockable[0] && reblockable[1] && reblockable[2]; }
};

}  // namespace tessera::kernels
