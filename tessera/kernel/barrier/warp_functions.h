#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera::kernels {

/// A function by which threads learn of each other's values: a meeting point, as a barrier is one.
struct warp_function {
  std::string_view name;
  std::string_view driver;   ///< What computes its result from the values of all lanes (device/split_driver.h).
  std::size_t least, most;   ///< Arguments.
  std::size_t operand;       ///< The argument that the other threads see; `no_operand` if there is none.
  std::string_view result;   ///< Its type; empty: that of the operand.
  bool whole_block = false;  ///< All threads of the block meet, not those of a warp.
};
inline constexpr std::size_t no_operand = static_cast<std::size_t>(-1);

/// The function of CUDA that `name` means; null for any other name. `__syncwarp` and `__syncthreads` are none of them:
/// they have no result.
[[nodiscard]] const warp_function* find_warp_function(std::string_view name);

/// `__syncwarp`, and whatever `find_warp_function` finds.
[[nodiscard]] bool meets_warp(std::string_view name);

/// Names of the variables that hold the results of warp functions in a flat text (flat/flatten.h): no others may be
/// initialised by one.
inline constexpr std::string_view result_prefix = "__tessera_w";

/// Names of the variables that count loops which run once for the block although no threads meet in them: those that
/// `flatten` has turned.
inline constexpr std::string_view turned_prefix = "__tessera_b";

}  // namespace tessera::kernels
