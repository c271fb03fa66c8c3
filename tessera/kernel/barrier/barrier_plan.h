#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tessera/kernel/source/outline.h"
#include "tessera/kernel/source/reach.h"

namespace tessera::kernels {

/// A kernel with barriers cut into stretches: statements without a barrier, which a loop runs for one thread of the
/// block after the other. What stands between the stretches runs once for the block: barriers, which have nothing left
/// to do, shared variables, and loops and conditions around barriers, which must be the same for all threads.
///
/// A variable of the kernel is one of these:
///   - the same for all threads (`tiles = n / 16`): it stays where it is, between the stretches;
///   - computed from the thread's index alone (`i = blockIdx.x * blockDim.x + threadIdx.x`): it is declared again in
///     every stretch that uses it, so that the compiler sees what it is;
///   - any other: if a later stretch uses it, it is kept in an array with an element for each thread.

/// A variable, or a parameter that the kernel changes, which several stretches use.
struct carried_variable {
  std::string name;
  std::string type;         ///< As it may stand alone, without extents.
  std::string extents;      ///< Of an array: "[4]".
  std::string declaration;  ///< How to declare it again; empty if it is kept.
  bool is_const = false;
  bool is_parameter = false;
};

struct stretch {
  token_range statements;
  std::string before;                 ///< Declarations that run once, put before the loop.
  std::vector<std::size_t> declares;  ///< Kept variables that begin here; into `barrier_plan::carried`.
  std::vector<std::size_t> uses;      ///< Those that began before, in the order of their declarations.
  bool returns = false;               ///< A thread may end here while others go on.
};

struct barrier_plan {
  token_range body;     ///< Of the kernel.
  std::string refusal;  ///< Why the kernel cannot be cut, with the line; empty if it can.
  std::vector<carried_variable> carried;
  std::vector<stretch> stretches;
  std::vector<std::size_t> barriers;  ///< Positions of `__syncthreads`.
  std::vector<std::size_t> shared;    ///< Of `__shared__` and `static` of the block's own variables.
};

/// Decided on tokens, like everything here; where in doubt the kernel is not cut.
[[nodiscard]] barrier_plan plan_barriers(const outline& source, const reach& needed);

}  // namespace tessera::kernels
