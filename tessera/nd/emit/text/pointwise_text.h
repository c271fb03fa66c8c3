#pragma once

#include "tessera/nd/emit/text/kernel_text.h"

namespace tessera::nd {

/// A kernel that stores every output of `made` at each index of the domain.
[[nodiscard]] kernel_text pointwise_text(const group& made, const launch_space& space);

/// The values of the outputs.
[[nodiscard]] std::vector<kernels::expression::value> results_of(const group& made);
/// Loads, computes and stores the element at x, y, ...
[[nodiscard]] std::string compute_text(const group& made, const launch_space& space, bool from_rows,
                                       const std::string& indent);
/// The element outside of the window: a copy.
[[nodiscard]] std::string copy_text(const group& made, const launch_space& space, bool from_rows,
                                    const std::string& indent);
/// "y >= s.wlo0 && y < s.whi0 && ...", of all axes but x.
[[nodiscard]] std::string window_of_rows(const launch_space& space);

}  // namespace tessera::nd
