#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/kernel/barrier/bounds.h"
#include "tessera/kernel/barrier/crossings.h"
#include "tessera/kernel/barrier/subscripts.h"
#include "tessera/kernel/barrier/warp_functions.h"
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
///
/// Warp functions are cuts as well: each is computed for all threads from the array that keeps its operand. The text
/// must be flat (flat/flatten.h).

/// A variable, or a parameter that the kernel changes, which several stretches use.
struct carried_variable {
  std::string name;
  std::string type;         ///< As it may stand alone, without extents.
  std::string extents;      ///< Of an array: "[4]".
  std::string declaration;  ///< How to declare it again; empty if it is kept.
  std::string of_lane;      ///< What it begins as where loops run over warps and lanes; empty if that is no different.
  token_range initial;      ///< What it begins as in the text.
  bool is_const = false;
  bool is_parameter = false;
  bool begins_unset = false;  ///< The stretch that declares it does nothing else with it.
};

/// Threads of a block that run what stands in one branch of a condition, while others do not.
struct thread_region {
  std::size_t control = 0;  ///< Into `barrier_plan::conditions`.
  bool otherwise = false;
  std::size_t around = none;  ///< The next region around it; into `barrier_plan::regions`.
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
};

/// A condition that holds for some threads. One on the thread's index alone bounds the loops inside; any other is
/// evaluated for each thread into marks, which the loops inside look at.
struct thread_condition {
  token_range whole;
  token_range condition;
  std::size_t otherwise = 0;  ///< Position of `else`; `whole.end` if there is none.
  std::size_t around = thread_region::none;
  std::optional<index_bound> bound;
};

/// What a warp function does: of each thread's operand it makes each thread's result.
struct warp_exchange {
  const warp_function* function = nullptr;
  std::vector<token_range> arguments;
  std::size_t result = 0;   ///< Into `barrier_plan::carried`; `thread_region::none` if nothing uses it.
  std::size_t operand = 0;  ///< A kept variable, or `thread_region::none`: the threads' operands are put into an array.
  std::string operand_type;
  bool same = false;  ///< All other arguments are the same for all threads.
};

struct stretch {
  token_range statements;
  std::string before;                           ///< Declarations that run once, put before the loop.
  std::vector<std::size_t> declares;            ///< Kept variables that begin here; into `barrier_plan::carried`.
  std::vector<std::size_t> uses;                ///< Those that began before, in the order of their declarations.
  std::vector<std::size_t> changes;             ///< Those of `uses` that it may change.
  bool returns = false;                         ///< A thread may end here while others go on.
  std::size_t region = thread_region::none;     ///< The threads it runs for; into `barrier_plan::regions`.
  std::size_t condition = thread_region::none;  ///< Instead of statements: evaluates this one; into `conditions`.
  std::optional<warp_exchange> exchange;        ///< Instead of statements.
  std::vector<crossing> crossings;              ///< Elements that are read before the loop and written behind it.
};

/// Statements in which warps meet, but never the block: where warps lie within rows of the block, one warp runs all of
/// them before the next one begins, so that what its threads keep stays close.
struct warp_run {
  token_range statements;
  std::size_t region = thread_region::none;  ///< The threads it runs for.
  std::vector<std::size_t> unrolled;         ///< Positions of `for`: loops around warp functions with constant bounds.
  std::vector<std::size_t> kept;             ///< Variables that begin in it and live on; into `barrier_plan::carried`.
  std::vector<token_range> halves;           ///< Loops that the first half of a warp does (barrier/warp/half_warps.h).
  std::size_t needed = thread_region::none;  ///< The condition whose threads' warps have to do it; else all.
};

struct barrier_plan {
  token_range body;     ///< Of the kernel.
  std::string refusal;  ///< Why the kernel cannot be cut, with the line; empty if it can.
  std::vector<carried_variable> carried;
  std::vector<stretch> stretches;
  std::vector<thread_region> regions;
  std::vector<thread_condition> conditions;
  std::vector<token_range> barriers;  ///< Calls that have nothing left to do.
  std::vector<warp_run> runs;
  std::vector<std::size_t> unrolled;       ///< Positions of `for`: few turns around barriers, known when compiled.
  std::vector<wide_subscript> subscripts;  ///< That are computed in 64 bits (barrier/subscripts.h).
  std::vector<std::size_t> shared;         ///< Of `__shared__` and `static` of the block's own variables.
};

/// Decided on tokens, like everything here; where in doubt the kernel is not cut. Without `bounds`, no condition on a
/// thread's index becomes the bounds of loops.
[[nodiscard]] barrier_plan plan_barriers(const outline& source, const reach& needed, bool bounds = true);

}  // namespace tessera::kernels
