#pragma once

#include <span>

#include "tessera/base/geometry/block_boxes.h"
#include "tessera/plan/access/access.h"

namespace tessera::plan {

/// For each thread block of `part`, one box around what `evaluate` gives for that block alone, its padding threads
/// included, in an array (or slice) of shape `shape`. `part` is a box of blocks of `space`, which has at most three
/// axes. Takes constant time where the rule's indices are sums, differences and multiples of names; otherwise one
/// evaluation for each combination of the block indices that an index uses.
[[nodiscard]] block_boxes declared_boxes(const access_rule& rule, std::span<const bound_name> names,
                                         const domain& space, const box& part, const extents& shape);

}  // namespace tessera::plan
