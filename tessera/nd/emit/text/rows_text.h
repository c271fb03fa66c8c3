#pragma once

#include <string>

#include "tessera/nd/emit/text/kernel_text.h"
#include "tessera/nd/fuse/rows.h"

namespace tessera::nd {

/// How a stage combines elements.
struct stage_functions {
  reduction_functions functions;
  int first_divisor = 0;  ///< Among the numbers of the group's function, where the divisors stand behind each other.
};

/// A launch over rows.
struct rows_step {
  const rows_group& rows;
  const std::vector<stage_functions>& functions;  ///< One per stage.
  const launch_space& space;
};

/// A kernel that goes through rows, stage by stage; nodes with one element per row are written to parameters o0, o1,
/// ... behind all others.
[[nodiscard]] kernel_text rows_text(const rows_step& step);
/// The rules for what it writes once per row.
[[nodiscard]] std::string rows_rules(const rows_step& step);
/// Appends what the text depends on to a key.
void append_rows_key(std::string& key, const rows_step& step);

}  // namespace tessera::nd
