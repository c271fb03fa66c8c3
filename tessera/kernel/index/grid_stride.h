#pragma once

#include <optional>
#include <string>

#include "tessera/kernel/source/outline.h"
#include "tessera/kernel/source/reach.h"

namespace tessera::kernels {

/// A kernel whose threads walk along x in steps of the whole grid, and do nothing else:
///
///     T first = blockIdx.x * blockDim.x + threadIdx.x, step = blockDim.x * gridDim.x;
///     for (T i = first; i < n; i += step) body
///
/// or the same with `while (i < n) { body i += step; }`, with or without names for the first index and the step. The
/// turns of one thread hand nothing on to each other in its variables, and none ends the thread's walk. So a thread
/// may be thought of as one for each turn, as long as the turns of a thread keep their order.
struct grid_stride {
  token_range loop;       ///< The whole statement.
  token_range condition;  ///< Without parentheses.
  token_range step;       ///< What moves the counter on; the statement with its `;` in a `while` loop.
  token_range body;       ///< A statement.
  bool is_while = false;
  /// The first index that no turn has, as an expression of the arguments `__tessera_p0`, ...; `inclusive` if it has one
  /// itself.
  std::string bound;
  bool inclusive = false;
  std::string counter_type;
};

/// Decided on tokens; where in doubt there is none. The kernel's functions must not use thread indices.
[[nodiscard]] std::optional<grid_stride> find_grid_stride(const outline& source, const reach& needed);

}  // namespace tessera::kernels
