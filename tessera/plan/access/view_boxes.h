#pragma once

#include <vector>

#include "tessera/plan/access/access.h"

namespace tessera::plan {

/// Appends, as boxes of an array of shape `shape`, the elements that `part` (not empty, inside view.shape) names
/// through `view`. What lies behind the array's last element is left out. Neighbouring pieces are merged; beyond
/// `max_boxes_per_rule` the hull is taken instead and false returned. Requires that the view's element count and
/// offset fit 64 bits together.
bool append_view_boxes(const storage_view& view, const box& part, const extents& shape, std::vector<box>& out);

/// Appends one box around all that `append_view_boxes` may give for `part` or for any box inside it; none if that is
/// nothing.
void append_view_bounds(const storage_view& view, const box& part, const extents& shape, std::vector<box>& out);

}  // namespace tessera::plan
