#pragma once

#include <span>
#include <vector>

#include "tessera/plan/access/access.h"

/// What indices that stand for rows of a table touch (rule H16).
namespace tessera::plan {

/// The smallest interval around the rows that an index with a table names, within an axis of `extent` elements.
[[nodiscard]] interval bounds_of_rows(const index_range& range, std::span<const interval> names, std::int64_t extent);

/// As `evaluate`, for a rule with tables; `around` is a box around all that it touches, in coordinates of its view if
/// it has one.
bool append_rows(const access_rule& rule, std::span<const interval> names, const box& around, const extents& shape,
                 std::vector<box>& out);

}  // namespace tessera::plan
