#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tessera/kernel/analysis/accumulation.h"
#include "tessera/kernel/index/grid_stride.h"
#include "tessera/kernel/index/index_use.h"
#include "tessera/kernel/wrap/rewrite.h"

namespace tessera::kernels {

/// How a kernel is run as loops over its threads (device/loop_driver.h).
struct loop_plan {
  index_use use;
  std::optional<grid_stride> walk;
  /// Whether the kernel gets a parameter `__tessera_at` beside its thread's indices.
  [[nodiscard]] bool has_place() const { return strips || !use.direct.empty() || !accumulations.empty(); }
  /// Whether the driver counts in 64 bits along x.
  [[nodiscard]] bool is_wide() const { return use.wide && use.counted_in[0] != wide_index::none; }
  std::vector<accumulation> accumulations;
  std::vector<std::string> first_turns;  ///< Of loops that are the same for all threads (`first_turns`).
  /// Where all that a kernel combines into are elements that the text names by numbers: per parameter that element.
  std::map<std::size_t, std::string> summed;
  bool strips = false;  ///< The text has a function for strips of threads (strip/strip_text.h).
};
[[nodiscard]] loop_plan plan_loops(const kernel_text& kernel, const parsed_kernel& source);

/// Makes the text that of one turn of the walk.
void replace_walk(const outline& source, const grid_stride& walk, text_edits& edits);

/// Has the kernel ask, where it calls atomics and wants no value, whether it has the memory for itself.
void replace_atomics(const kernel_text& kernel, const outline& source, const loop_plan& plan, text_edits& edits);

/// Has the kernel take its index from `__tessera_at` where it is computed in 64 bits: `(decltype(SUM))__tessera_at.x`.
void replace_sums(const index_use& use, text_edits& edits);

/// Cuts the function for strips at its loops. What to put in front of the prelude.
[[nodiscard]] std::string write_strip(const parsed_kernel& source, const loop_plan& plan, text_edits& edits);

}  // namespace tessera::kernels
