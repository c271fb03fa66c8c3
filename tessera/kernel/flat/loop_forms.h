#pragma once

#include "tessera/kernel/flat/meeting.h"

namespace tessera::kernels {

/// Gives a loop around a meeting point that counts with a variable from outside (`for (k = 0; k < n; k++)`) one of its
/// own, whose last value the other gets: it may have held something else for each thread before. The kernel's new
/// text; nothing if there is no such loop.
[[nodiscard]] std::optional<std::string> give_counter(const std::string& text, const parsed_kernel& source,
                                                      const meeting_points& points, std::size_t number);

/// Takes `if (threadIdx.x < s && more)` apart: `if (threadIdx.x < s) if (more)`. The kernel's new text; nothing if
/// there is no such condition.
[[nodiscard]] std::optional<std::string> split_condition(const std::string& text, const parsed_kernel& source);

/// Turns a loop in which each thread takes the elements at a distance of the block's size (`for (int j = threadIdx.x; j
/// < m; j += blockDim.x)`) into one in which all threads take neighbouring elements, then the next ones: a loop that
/// counts for the whole block, around a condition on the thread's index. The kernel's new text; nothing if there is
/// none left.
[[nodiscard]] std::optional<std::string> turn_loop(const std::string& text, const parsed_kernel& source,
                                                   const meeting_points& points, std::size_t number);

}  // namespace tessera::kernels
