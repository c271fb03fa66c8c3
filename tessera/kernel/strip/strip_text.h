#pragma once

#include <optional>
#include <string_view>

#include "tessera/kernel/barrier/barrier_plan.h"
#include "tessera/kernel/wrap/rewrite.h"

namespace tessera::kernels {

/// Strips: neighbouring threads that take each turn of a loop together, which is the same for all of them. The loop
/// over threads then stands within that loop, on elements beside each other, instead of around it.
///
/// Two functions with the kernel's parameters say this, beside the kernel in its text. The guard tells whether a thread
/// passes the conditions at the kernel's begin (`if (i >= n) return;`, `if (i < n) { ... }` around all that follows); a
/// thread that does not does nothing. The strip is the kernel without these conditions, cut at its loops as other
/// kernels are at barriers (barrier/barrier_plan.h). A driver runs it for threads that all pass
/// (device/strip_driver.h).
inline constexpr std::string_view strip_name = "__tessera_strip";
inline constexpr std::string_view guard_name = "__tessera_guard";

/// The kernel's text with both functions, if it has loops for which that pays (`find_strip_loops`) and can be cut.
/// Nothing where threads meet or use atomics.
[[nodiscard]] std::optional<kernel_text> add_strips(const kernel_text& kernel);

/// The position of one of these functions in `outline::declarations`, if the text has it.
[[nodiscard]] std::optional<std::size_t> find_function(const outline& source, std::string_view name);

/// How the strip is cut.
[[nodiscard]] barrier_plan plan_strip(const parsed_kernel& source);

}  // namespace tessera::kernels
